package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * All tensors of a model: a directory with {@code model.safetensors}, with shards and their index, with one other
 * {@code .safetensors} or one {@code .gguf} file, or such a file itself. Every header is read and checked when it is
 * opened; tensors' bytes are only mapped. Any thread may read; the holder closes it once nobody reads any more.
 */
public final class Checkpoint implements AutoCloseable {
    private static final String GGUF_SPLIT_COUNT = "split.count";

    private final Path path;
    private final List<WeightFile> files;
    private final SequencedMap<String, StoredTensor> tensors = new LinkedHashMap<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();

    private Checkpoint(Path path, List<WeightFile> files) {
        this.path = path;
        this.files = List.copyOf(files);
        this.files.forEach(this::add);
    }

    /**
     * Opens what is at the path. A {@code model.safetensors} that the index does not name wins over the index; adapter
     * files, {@code consolidated*} duplicates and hidden files are not looked at.
     *
     * @throws CheckpointException for any fault of any file; nothing stays mapped then
     */
    public static Checkpoint open(Path path) {
        CheckpointFiles found = CheckpointFiles.at(path);
        List<WeightFile> files = new ArrayList<>();
        try {
            found.files().forEach(file -> files.add(CheckpointFiles.open(file)));
            Checkpoint checkpoint = new Checkpoint(path, files);
            if (found.index() != null) {
                found.index().requireTensors(checkpoint.tensors);
            }
            return checkpoint;
        } catch (RuntimeException | Error e) {
            files.forEach(WeightFile::close);
            throw e;
        }
    }

    private void add(WeightFile file) {
        switch (file) {
            case SafetensorsFile safetensors -> safetensors.metadata().forEach(metadata::putIfAbsent);
            case GgufFile gguf -> requireWhole(gguf);
        }
        file.entries().forEach((name, entry) -> {
            StoredTensor other = tensors.putIfAbsent(name, new StoredTensor(file, entry));
            if (other != null) {
                throw CheckpointException.ofTensor(
                        Kind.DUPLICATE,
                        file.path(),
                        name,
                        "is also in " + other.file().path().getFileName());
            }
        });
    }

    private static void requireWhole(GgufFile file) {
        if (file.metadata().findInt(GGUF_SPLIT_COUNT).orElse(1) > 1) {
            throw CheckpointException.ofKey(
                    Kind.UNSUPPORTED_FORMAT,
                    file.path(),
                    GGUF_SPLIT_COUNT,
                    "the model is split over several GGUF files; merge them into one");
        }
    }

    /** What was opened: a directory or a file. */
    public Path path() {
        return path;
    }

    /** All tensors by name, in the order of the files and of their headers. */
    public SequencedMap<String, StoredTensor> tensors() {
        return Collections.unmodifiableSequencedMap(tensors);
    }

    public Optional<StoredTensor> find(String name) {
        return Optional.ofNullable(tensors.get(name));
    }

    /**
     * The tensor of that name.
     *
     * @throws CheckpointException {@link Kind#MISSING_TENSOR}, of the only file or else of the directory
     */
    public StoredTensor tensor(String name) {
        return find(name)
                .orElseThrow(() -> CheckpointException.missingTensor(
                        files.size() == 1 ? files.getFirst().path() : path, name));
    }

    /**
     * The tensor of that name and shape.
     *
     * @throws CheckpointException {@link Kind#MISSING_TENSOR} or {@link Kind#WRONG_SHAPE}
     */
    public StoredTensor tensor(String name, List<Integer> shape) {
        StoredTensor tensor = tensor(name);
        if (!tensor.shape().equals(shape)) {
            throw CheckpointException.wrongShape(tensor.file().path(), name, shape, tensor.shape());
        }
        return tensor;
    }

    /** The {@code __metadata__} of the safetensors files; where they differ the first one's. */
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /** The key-value pairs of a GGUF file; empty for safetensors. */
    public Optional<GgufMetadata> gguf() {
        return files.getFirst() instanceof GgufFile file ? Optional.of(file.metadata()) : Optional.empty();
    }

    /** Bytes of all tensors as they are stored. */
    public long byteLength() {
        return tensors.values().stream()
                .mapToLong(tensor -> tensor.entry().byteLength())
                .sum();
    }

    /** Unmaps every file; a second call does nothing. */
    @Override
    public void close() {
        files.forEach(WeightFile::close);
    }
}
