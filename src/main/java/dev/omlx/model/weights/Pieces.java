package dev.omlx.model.weights;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Walks a tensor in pieces small enough for a core's cache, on as many threads as the common pool has. Each thread
 * copies a piece into heap memory first, so that a file cut meanwhile is a clean error.
 */
final class Pieces {
    private static final int ELEMENTS = 1 << 15;

    private final StoredTensor tensor;
    private final int blocksPerPiece;
    private final long blocks;

    Pieces(StoredTensor tensor) {
        this.tensor = tensor;
        this.blocksPerPiece = ELEMENTS / tensor.type().blockSize();
        this.blocks = tensor.entry().elementCount() / tensor.type().blockSize();
    }

    /** What one thread does; it is made by that thread and keeps its own scratch memory. */
    interface Worker {
        /** Heap memory for one piece. */
        MemorySegment input();

        /** Converts the {@code count} blocks at the beginning of the input, the tensor's from {@code first} on. */
        void convert(long first, int count);
    }

    /** Blocks that a worker's input must have room for. */
    int blocksPerPiece() {
        return (int) Math.min(blocksPerPiece, blocks);
    }

    /** Converts the whole tensor; returns when every thread is done. */
    void forEach(Supplier<Worker> workers) {
        long pieces = Math.ceilDiv(blocks, (long) blocksPerPiece);
        int threads = (int) Math.min(pieces, ForkJoinPool.getCommonPoolParallelism() + 1L);
        IntStream.range(0, threads).parallel().forEach(thread -> {
            Worker worker = workers.get();
            for (long piece = thread; piece < pieces; piece += threads) {
                convert(worker, piece * blocksPerPiece);
            }
        });
    }

    private void convert(Worker worker, long first) {
        int count = (int) Math.min(blocksPerPiece, blocks - first);
        int blockBytes = tensor.type().blockBytes();
        MemorySegment input = worker.input().asSlice(0, (long) count * blockBytes);
        tensor.file().copyPart(tensor.entry(), first * blockBytes, input);
        worker.convert(first, count);
    }
}
