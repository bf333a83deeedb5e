package dev.omlx.engine;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.kv.tensor.SlotArena;
import dev.omlx.kv.tensor.SlotArenas;
import dev.omlx.mlx.Tensor;
import dev.omlx.nn.ArenaRows;
import dev.omlx.nn.RaggedBatch;
import dev.omlx.sched.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** @param arenas where decoding rows first find their slots; null for none */
    RaggedBatch build(@Nullable SlotArenas arenas) {
        if (arenas != null) {
            arenas.arrange(segments.stream()
                    .filter(segment -> segment.length() == 1)
                    .map(RaggedBatch.Segment::cache)
                    .toList());
        }
        List<RaggedBatch.Segment> alone = new ArrayList<>();
        Map<SlotArena, int[]> together = new LinkedHashMap<>();
        for (RaggedBatch.Segment segment : segments) {
            SlotArena arena = segment.length() == 1 ? segment.cache().arena() : null;
            if (arena == null) {
                segment.cache().moveOut();
                alone.add(segment);
            } else {
                together.computeIfAbsent(arena, any -> noRows())[segment.cache().slot()] = segment.start();
            }
        }
        List<ArenaRows> rowsOfArenas = together.entrySet().stream()
                .map(entry -> new ArenaRows(entry.getKey(), entry.getValue()))
                .toList();
        return new RaggedBatch(tokens.build(), Tensor.of(positions, rows), alone, rowsOfArenas);
    }

    private static int[] noRows() {
        int[] rows = new int[SlotArena.SLOTS];
        Arrays.fill(rows, -1);
        return rows;
    }
}
