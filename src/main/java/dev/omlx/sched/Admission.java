package dev.omlx.sched;

import java.time.Duration;

/** The answer to {@link Scheduler#add}. */
public sealed interface Admission {
    /** The sequence is queued, and will come back once and finished from {@link Scheduler#takeReleasable}. */
    record Accepted() implements Admission {}

    /**
     * The queue is full.
     *
     * @param waiting sequences in it
     * @param retryAfter when room is likely, from the measured pace
     */
    record QueueFull(int waiting, Duration retryAfter) implements Admission {}

    /** No new sequences are taken; those there go on to their end. */
    record Draining() implements Admission {}

    /** It could never fit. */
    record TooLarge(Failure failure) implements Admission {}
}
