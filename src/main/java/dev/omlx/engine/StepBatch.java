package dev.omlx.engine;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.kv.tensor.SlotArenas;
import dev.omlx.mlx.Tensor;
import dev.omlx.nn.RaggedBatch;
import dev.omlx.sched.Work;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a step, gathered sequence by sequence. Touches no cache and makes no tensor before it is built. */
final class StepBatch {
    private final StepTokens tokens;
    private final int[] positions;
    private final List<RaggedBatch.Segment> segments = new ArrayList<>();
    private int rows;

    StepBatch(int rows) {
        tokens = new StepTokens(rows);
        positions = new int[rows];
    }

    /** @param cache where the sequence's keys and values stand */
    void add(Work part, Generation generation, SequenceCache cache) {
        segments.add(new RaggedBatch.Segment(rows, part.tokenCount(), cache));
        for (int i = 0; i < part.tokenCount(); i++) {
            int position = part.startPosition() + i;
            positions[rows] = position;
            if (position < part.sequence().knownTokens()) {
                tokens.host(rows, generation.token(position));
            } else {
                tokens.device(rows, generation.newest);
            }
            rows++;
        }
    }

    /** @param arenas where decoding rows may find slots; null for none */
    RaggedBatch build(@Nullable SlotArenas arenas) {
        Tensor at = Tensor.of(positions, rows);
        return arenas == null
                ? new RaggedBatch(tokens.build(), at, segments)
                : RaggedBatch.arranged(tokens.build(), at, segments, arenas);
    }
}
