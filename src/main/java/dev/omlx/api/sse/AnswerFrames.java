package dev.omlx.api.sse;

import dev.omlx.api.error.Errors;
import dev.omlx.api.json.Json;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;

/** The frames of an answer that comes as events. */
public final class AnswerFrames {
    private static final int PREFETCH = 8;

    private AnswerFrames() {}

    /**
     * Frames each event. A failure before the first event is passed on; one after it ends the stream with a frame of its
     * own.
     *
     * @param frames makes an event's frames, possibly none
     * @param fault makes the last frame of a stream that failed
     */
    public static <T> Flux<String> of(
            Flux<T> events, Function<T, List<String>> frames, Function<Throwable, String> fault) {
        return Flux.defer(() -> {
            AtomicBoolean open = new AtomicBoolean();
            return events.doOnNext(event -> open.set(true))
                    .concatMapIterable(frames, PREFETCH)
                    .onErrorResume(failure -> open.get() ? Flux.just(fault.apply(failure)) : Flux.error(failure));
        });
    }

    /** A failure in the dialect's words, as JSON. */
    public static String fault(Throwable failure, Errors errors, ServerWebExchange exchange) {
        return Json.write(errors.body(errors.describe(failure, exchange), exchange));
    }
}
