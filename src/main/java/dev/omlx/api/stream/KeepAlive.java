package dev.omlx.api.stream;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Fills the silences of a stream. */
final class KeepAlive {
    /** How many times an interval the silence is looked at; a silence is found at most a part of it late. */
    private static final int LOOKS = 4;

    /** Frames taken ahead of what the client reads. */
    private static final int PREFETCH = 8;

    private KeepAlive() {}

    /**
     * The frames, and {@code idle} whenever {@code interval} went by without any. Nothing is sent before the first frame,
     * after the last one, or to a client that is not reading.
     */
    static <T> Flux<T> between(Flux<T> frames, Duration interval, T idle) {
        return between(frames, interval, idle, Schedulers.parallel());
    }

    static <T> Flux<T> between(Flux<T> frames, Duration interval, T idle, Scheduler scheduler) {
        return Flux.defer(() -> {
            Silence silence = new Silence(interval, scheduler);
            Sinks.Empty<Void> ended = Sinks.empty();
            Flux<T> idles = Flux.interval(interval.dividedBy(LOOKS), scheduler)
                    .filter(tick -> silence.takeIfLong())
                    .onBackpressureDrop()
                    .map(tick -> idle)
                    .takeUntilOther(ended.asMono());
            return Flux.merge(PREFETCH, frames.doOnTerminate(ended::tryEmitEmpty), idles)
                    .doOnNext(frame -> silence.begin());
        });
    }

    /** How long nothing was sent. */
    private static final class Silence {
        /** Nothing was sent yet, or what ends the silence is on its way. */
        private static final long NONE = Long.MIN_VALUE;

        private final long limitNanos;
        private final Scheduler scheduler;
        private final AtomicLong since = new AtomicLong(NONE);

        Silence(Duration limit, Scheduler scheduler) {
            this.limitNanos = limit.toNanos();
            this.scheduler = scheduler;
        }

        void begin() {
            since.set(now());
        }

        /** Whether it lasts too long; if so it is taken as ended, until it begins again. */
        boolean takeIfLong() {
            long start = since.get();
            return start != NONE && now() - start >= limitNanos && since.compareAndSet(start, NONE);
        }

        private long now() {
            return scheduler.now(TimeUnit.NANOSECONDS);
        }
    }
}
