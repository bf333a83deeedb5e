package dev.omlx.api.request;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies may be read at the same time, whoever sends them: a few large ones could take all of the heap.
 * One by itself may be of any size. Safe for use from any thread.
 */
final class BodyBudget {
    /** A body is there as bytes, as text of twice the size, and as a tree, some of them at once. */
    private static final int HEAP_SHARE = 8;

    private final long most;
    private final AtomicLong all = new AtomicLong();

    BodyBudget(long most) {
        this.most = most;
    }

    /** What this JVM has room for. */
    static BodyBudget ofHeap() {
        return new BodyBudget(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** For one body; to be closed when it was read. */
    Share open() {
        return new Share();
    }

    /** What one body takes. */
    final class Share implements AutoCloseable {
        private final AtomicLong own = new AtomicLong();

        private Share() {}

        /** Takes so many bytes more, and says whether there was room for them. */
        boolean take(long bytes) {
            long mine = own.addAndGet(bytes);
            long total = all.addAndGet(bytes);
            return total <= most || total == mine;
        }

        /** Gives back all that was taken. */
        @Override
        public void close() {
            all.addAndGet(-own.getAndSet(0));
        }
    }
}
