package dev.omlx.api.stream;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.Errors;
import dev.omlx.api.json.Json;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams answers that come as events. */
public final class AnswerStreams {
    private static final int PREFETCH = 8;

    private final StreamResponses responses;
    private final Errors errors;
    private final int interval;

    AnswerStreams(StreamResponses responses, Errors errors, int interval) {
        this.responses = responses;
        this.errors = errors;
        this.interval = interval;
    }

    /** Tokens a frame. */
    public int interval() {
        return interval;
    }

    /** As {@link #write(ServerWebExchange, StreamFormat, Flux, Function, UnaryOperator, String)}, as server-sent events. */
    public <T> Mono<Void> write(
            ServerWebExchange exchange,
            Flux<T> events,
            Function<T, List<String>> frames,
            UnaryOperator<String> fault,
            String idle) {
        return write(exchange, StreamFormat.EVENTS, events, frames, fault, idle);
    }

    /**
     * Sends each event's frames. A failure before the first event fails the returned Mono, with nothing sent; one after it
     * ends the stream with a frame of its own.
     *
     * @param frames makes an event's frames, possibly none
     * @param fault makes the last frame of a stream that failed out of the error, which is JSON in the dialect's words
     * @param idle the dialect's own frame that says nothing
     */
    public <T> Mono<Void> write(
            ServerWebExchange exchange,
            StreamFormat format,
            Flux<T> events,
            Function<T, List<String>> frames,
            UnaryOperator<String> fault,
            String idle) {
        return write(
                exchange,
                format,
                events,
                frames,
                error -> fault.apply(Json.write(errors.body(error, exchange))),
                idle,
                UnaryOperator.identity());
    }

    /**
     * As {@link #write(ServerWebExchange, Flux, Function, UnaryOperator, String)}, for frames whose text hangs on their
     * order.
     *
     * @param encode makes a frame's text, in the order in which frames are sent, those that say nothing too
     */
    public <T, F> Mono<Void> write(
            ServerWebExchange exchange,
            Flux<T> events,
            Function<T, List<F>> frames,
            Function<ApiError, F> fault,
            F idle,
            Function<F, String> encode) {
        return write(exchange, StreamFormat.EVENTS, events, frames, fault, idle, encode);
    }

    private <T, F> Mono<Void> write(
            ServerWebExchange exchange,
            StreamFormat format,
            Flux<T> events,
            Function<T, List<F>> frames,
            Function<ApiError, F> fault,
            F idle,
            Function<F, String> encode) {
        Flux<F> framed = Flux.defer(() -> {
            AtomicBoolean open = new AtomicBoolean();
            return events.doOnNext(event -> open.set(true))
                    .concatMapIterable(frames, PREFETCH)
                    .onErrorResume(failure -> open.get()
                            ? Flux.just(fault.apply(errors.describe(failure, exchange)))
                            : Flux.error(failure));
        });
        return responses.write(exchange.getResponse(), format, framed, idle, encode);
    }
}
