/**
 * Continuous batching: which tokens of which sequences the next step computes. Plain Java that decides on numbers only;
 * the {@link dev.omlx.sched.Scheduler} coordinates small managers for decoding, prefill, memory, models and costs. The
 * engine thread alone may use anything in here: nothing locks, nothing starts threads, and time is passed in.
 */
@NullMarked
package dev.omlx.sched;

import org.jspecify.annotations.NullMarked;
