package dev.omlx.model;

import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.CheckpointException;
import dev.omlx.model.weights.StoredTensor;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Hands out a checkpoint's tensors, and knows which of them nobody has asked for: a model that lacks them computes
 * something else than what was trained. Borrows the checkpoint. For one thread.
 */
final class UnreadTensors {
    private final Checkpoint checkpoint;
    private final Set<String> read = new HashSet<>();

    UnreadTensors(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
    }

    /**
     * The tensor of that name and shape.
     *
     * @throws CheckpointException as of {@link Checkpoint#tensor(String, List)}
     */
    StoredTensor read(String name, int... shape) {
        StoredTensor tensor =
                checkpoint.tensor(name, Arrays.stream(shape).boxed().toList());
        read.add(name);
        return tensor;
    }

    /**
     * Requires that all have been read but those that make no difference.
     *
     * @throws CheckpointException {@link CheckpointException.Kind#UNEXPECTED_TENSOR}
     */
    void requireNone(Predicate<String> harmless) {
        List<String> unread = checkpoint.tensors().keySet().stream()
                .filter(name -> !read.contains(name) && !harmless.test(name))
                .toList();
        if (!unread.isEmpty()) {
            throw CheckpointException.unexpectedTensors(
                    checkpoint.tensor(unread.getFirst()).file().path(), unread);
        }
    }
}
