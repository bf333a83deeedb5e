package dev.omlx.testsupport;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.Timings;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.engine.api.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a {@link ScriptedEngine} does with a request, step by step. */
public final class Script {
    /** Prompt tokens that every script reports. */
    public static final int PROMPT_TOKENS = 7;

    /** Of those, how many came from the cache. */
    public static final int CACHED_TOKENS = 4;

    private final List<Step> steps = new ArrayList<>();

    private interface Step {
        Publisher<GenerationEvent> play(GenerationRequest request);
    }

    /** A script without steps. */
    public static Script empty() {
        return new Script();
    }

    /** A valid answer of those tokens for each choice, interleaved; cut at the request's most tokens. */
    public static Script answer(String... tokens) {
        return empty().then(request -> Flux.fromIterable(events(request, List.of(tokens))));
    }

    /** For each request a script of its own. */
    public static Script each(Function<GenerationRequest, Script> script) {
        return empty().then(request -> script.apply(request).play(request));
    }

    /** What an engine of one's own does with a request. */
    public static Script of(Function<GenerationRequest, Flux<GenerationEvent>> engine) {
        return empty().then(engine::apply);
    }

    /** Accepts the request. */
    public Script start() {
        return then(request -> Mono.just(started(request)));
    }

    /** Says one token of the first choice. */
    public Script say(String token) {
        return emit(new Delta(0, token, List.of()));
    }

    public Script emit(GenerationEvent event) {
        return then(request -> Mono.just(event));
    }

    /** Ends the only choice and the answer. */
    public Script stop(int completionTokens) {
        return emit(new ChoiceFinished(0, FinishReason.STOP, null)).complete(completionTokens);
    }

    /** Ends the answer, whose choices have all ended. */
    public Script complete(int completionTokens) {
        return emit(completed(completionTokens));
    }

    public Script pause(Duration duration) {
        return then(request -> Mono.delay(duration).then(Mono.empty()));
    }

    public Script fail(Throwable failure) {
        return then(request -> Mono.error(failure));
    }

    /** Says nothing more and does not end. */
    public Script hang() {
        return then(request -> Mono.never());
    }

    /** Says {@code token} for ever, as fast as it is taken. */
    public Script babble(String token) {
        return babble(token, () -> {});
    }

    /**
     * As {@link #babble(String)}.
     *
     * @param taken is run for each token
     */
    public Script babble(String token, Runnable taken) {
        return then(request -> Flux.<GenerationEvent>generate(sink -> {
                    taken.run();
                    sink.next(new Delta(0, token, List.of()));
                })
                .subscribeOn(Schedulers.boundedElastic()));
    }

    Flux<GenerationEvent> play(GenerationRequest request) {
        return Flux.fromIterable(steps).concatMap(step -> step.play(request), 0);
    }

    private Script then(Step step) {
        steps.add(step);
        return this;
    }

    private static List<GenerationEvent> events(GenerationRequest request, List<String> tokens) {
        Integer most = request.stop().maxTokens();
        List<String> said = most != null && most < tokens.size() ? tokens.subList(0, most) : tokens;
        FinishReason reason = said.size() < tokens.size() ? FinishReason.LENGTH : FinishReason.STOP;
        int choices = request.output().choices();
        List<GenerationEvent> events = new ArrayList<>();
        events.add(started(request));
        for (String token : said) {
            for (int choice = 0; choice < choices; choice++) {
                events.add(new Delta(choice, token, logprobs(request, token)));
            }
        }
        for (int choice = 0; choice < choices; choice++) {
            events.add(new ChoiceFinished(choice, reason, null));
        }
        events.add(completed(said.size() * choices));
        return events;
    }

    private static Started started(GenerationRequest request) {
        return new Started(request.id(), String.valueOf(request.model()), PROMPT_TOKENS);
    }

    private static Completed completed(int completionTokens) {
        Timings timings = new Timings(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3));
        return new Completed(new Usage(PROMPT_TOKENS, CACHED_TOKENS, completionTokens, 0), timings);
    }

    /** The token itself, the likeliest one of those asked for, each half as likely as the one before. */
    private static List<TokenLogprob> logprobs(GenerationRequest request, String token) {
        if (!request.output().logprobs()) {
            return List.of();
        }
        List<TokenLogprob> top = IntStream.range(0, request.output().topLogprobs())
                .mapToObj(place -> logprob(place, place == 0 ? token : token + place, -0.5f - place, List.of()))
                .toList();
        return List.of(logprob(0, token, -0.5f, top));
    }

    private static TokenLogprob logprob(int id, String token, float logprob, List<TokenLogprob> top) {
        return new TokenLogprob(id, token, token.getBytes(StandardCharsets.UTF_8), logprob, top);
    }
}
