package dev.omlx.testsupport;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.ModelDescription.Capability;
import dev.omlx.engine.api.Prompt;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An engine without a model: it does what a {@link Script} says, and remembers what was asked of it. */
public final class ScriptedEngine implements InferenceEngine {
    public static final ModelDescription MODEL = new ModelDescription(
            "test/model",
            List.of("alias"),
            Instant.ofEpochSecond(1_700_000_000),
            8192,
            1000,
            new ModelDescription.Origin("llama", "gguf", 123_456_789),
            EnumSet.allOf(Capability.class));
    public static final ModelDescription OTHER_MODEL = new ModelDescription(
            "other",
            List.of(),
            Instant.ofEpochSecond(1_600_000_000),
            4096,
            500,
            new ModelDescription.Origin("qwen3", "safetensors", 987_654_321),
            Set.of());

    private static final Script DEFAULT_SCRIPT = Script.answer("Hello", " world");
    private static final EngineStatus READY =
            new EngineStatus(Phase.READY, null, 0, 0, EngineStatus.Memory.NONE, Duration.ZERO);

    private final List<GenerationRequest> requests = new CopyOnWriteArrayList<>();
    private final Set<String> cancelled = ConcurrentHashMap.newKeySet();
    private final AtomicInteger running = new AtomicInteger();
    private volatile Script script = DEFAULT_SCRIPT;
    private volatile List<ModelDescription> models = List.of(MODEL, OTHER_MODEL);
    private volatile EngineStatus status = READY;

    /** What to do with requests from now on. */
    public ScriptedEngine play(Script next) {
        script = next;
        return this;
    }

    public ScriptedEngine models(List<ModelDescription> next) {
        models = List.copyOf(next);
        return this;
    }

    public ScriptedEngine status(EngineStatus next) {
        status = next;
        return this;
    }

    /** As new. */
    public void reset() {
        requests.clear();
        cancelled.clear();
        script = DEFAULT_SCRIPT;
        models = List.of(MODEL, OTHER_MODEL);
        status = READY;
    }

    /** The requests that were begun, in order. */
    public List<GenerationRequest> requests() {
        return List.copyOf(requests);
    }

    public GenerationRequest lastRequest() {
        return requests.getLast();
    }

    /** Whether the request was cancelled. */
    public boolean isCancelled(GenerationRequest request) {
        return cancelled.contains(request.id());
    }

    /** Requests that have begun and not ended. */
    public int running() {
        return running.get();
    }

    @Override
    public Flux<GenerationEvent> generate(GenerationRequest request) {
        return Flux.defer(() -> {
            running.incrementAndGet();
            requests.add(request);
            return script.play(request)
                    .doOnCancel(() -> cancelled.add(request.id()))
                    .doFinally(signal -> running.decrementAndGet());
        });
    }

    /** Every prompt has as many tokens as scripts report, except those that are given as tokens. */
    @Override
    public Mono<Integer> countTokens(@Nullable String model, Prompt prompt) {
        if (prompt instanceof Prompt.Text text && text.text().isEmpty()) {
            return Mono.error(new EngineException.InvalidRequest(prompt.field(), "the prompt is empty"));
        }
        return Mono.just(prompt instanceof Prompt.Tokens tokens ? tokens.ids().size() : Script.PROMPT_TOKENS);
    }

    @Override
    public List<ModelDescription> models() {
        return models;
    }

    @Override
    public EngineStatus status() {
        return status;
    }
}
