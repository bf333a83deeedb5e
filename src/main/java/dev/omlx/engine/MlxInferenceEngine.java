package dev.omlx.engine;

import static java.util.Objects.requireNonNull;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.Prompt;
import dev.omlx.ffi.NativeHeap;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.DeviceMemory;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Tensor;
import dev.omlx.model.LanguageModel;
import dev.omlx.model.LoadPlan;
import dev.omlx.model.ModelLoader;
import dev.omlx.model.ModelShape;
import dev.omlx.model.Precision;
import dev.omlx.model.StepMemory;
import dev.omlx.sampling.SamplingParameters;
import dev.omlx.sched.Priority;
import dev.omlx.sched.SchedulerStats;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.SequenceSpec;
import dev.omlx.text.ModelText;
import dev.omlx.text.NativeTokenizerLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The engine over MLX. {@link #start} loads the model, in one go or begun by {@link #preload}; {@link #close} ends every
 * request, frees the model and ends the engine thread. Text work runs on virtual threads; MLX never does.
 */
public final class MlxInferenceEngine implements InferenceEngine, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MlxInferenceEngine.class);

    private final EngineSettings settings;
    private final UnaryOperator<ModelRunner> wrapper;
    private final ExecutorService texts = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("omlx-text-", 0).factory());
    private final Scheduler textScheduler = Schedulers.fromExecutorService(texts);
    private final EngineMemory memory;
    private final EngineLoop loop;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable LoadedModel model;
    private @Nullable ModelRunner runner;
    private @Nullable CompletableFuture<ModelText> text;
    private @Nullable CompletableFuture<LanguageModel> weights;

    public MlxInferenceEngine(EngineSettings settings) {
        this(settings, UnaryOperator.identity());
    }

    /** @param wrapper lets tests come between the loop and MLX */
    MlxInferenceEngine(EngineSettings settings, UnaryOperator<ModelRunner> wrapper) {
        this.settings = settings;
        this.wrapper = wrapper;
        this.memory = new EngineMemory(settings.memoryLimit(), DeviceMemory::clearCache);
        this.loop = new EngineLoop(settings.scheduler(), memory, MlxInferenceEngine::giveMemoryBack);
    }

    private static void giveMemoryBack() {
        DeviceMemory.clearCache();
        NativeHeap.trim();
    }

    /** The loop, for tests to look at. */
    EngineLoop loop() {
        return loop;
    }

    /** Begins to load the model and returns; {@link #start} waits for it. */
    @SuppressWarnings("FutureReturnValueIgnored") // files that cannot be closed are closed
    public synchronized void preload() {
        if (weights == null) {
            NativeTokenizerLibrary.unpackTo(settings.nativeLibrary().unpackTo());
            CompletableFuture<ModelLoader> opened = CompletableFuture.supplyAsync(
                    () -> ModelLoader.open(settings.model().path()), texts);
            text = opened.thenApplyAsync(ModelTexts::read, texts);
            weights = loop.call(() -> load(opened));
            // nothing of what was read borrows from the files
            opened.thenAcceptBoth(weights.handle((loaded, failure) -> true), (files, over) -> files.close());
        }
    }

    /**
     * Starts MLX and loads the model. Blocks until requests can be served.
     *
     * @throws RuntimeException what kept the model from being loaded; the engine must be closed then
     */
    public void start() {
        preload();
        LanguageModel loaded = join(requireNonNull(weights));
        ModelText readText = join(requireNonNull(text));
        join(loop.call(() -> {
            ModelRunner runs = wrapper.apply(new MlxModelRunner(loaded, memory::hasRoomForArenas));
            runner = runs;
            loop.addRunner(settings.model().id(), runs);
            int context = admit(loaded.shape(), DeviceMemory.active(), runs::kvBytes);
            model = new LoadedModel(describe(loaded, context), readText, settings.output());
            loop.ready();
            return true;
        }));
    }

    private LanguageModel load(CompletableFuture<ModelLoader> opened) {
        Mlx.start(settings.nativeLibrary());
        boundMemory();
        Precision precision = settings.precision().apply(Mlx.device());
        ModelLoader files = join(opened);
        LoadPlan plan = files.plan(precision);
        admit(plan.shape(), plan.weightBytes(), plan.shape()::kvBytes);
        return files.load(precision);
    }

    private void boundMemory() {
        OptionalLong workingSet = Mlx.recommendedWorkingSet();
        workingSet.ifPresent(memory::lowerCeiling);
        DeviceMemory.limit(memory.tensorLimit());
        DeviceMemory.cacheLimit(memory.cacheLimit());
        if (workingSet.isPresent()) {
            // keeps the weights resident; more than the working set would be refused
            DeviceMemory.wiredLimit(memory.ceiling());
        }
    }

    /** @return the context there is room for */
    private int admit(ModelShape shape, long weightBytes, EngineMemory.KvBytes kv) {
        return memory.admit(
                settings.model().id(),
                StepMemory.here(shape),
                weightBytes,
                contextLength(shape),
                settings.scheduler().maxBatchSize(),
                kv);
    }

    private int contextLength(ModelShape shape) {
        Integer configured = settings.contextLength();
        return configured == null ? shape.contextLength() : Math.min(shape.contextLength(), configured);
    }

    private ModelDescription describe(LanguageModel loaded, int contextLength) {
        if (contextLength < contextLength(loaded.shape())) {
            LOG.warn(
                    "the memory ceiling leaves room for {} of the model's {} tokens of context; omlx.memory.max can raise it",
                    contextLength,
                    contextLength(loaded.shape()));
        }
        try {
            return new ModelDescription(
                    settings.model().id(),
                    List.of(),
                    Files.getLastModifiedTime(settings.model().path()).toInstant(),
                    contextLength,
                    loaded.shape().vocabulary(),
                    new ModelDescription.Origin(
                            loaded.shape().architecture(),
                            settings.model().layout(),
                            settings.model().bytes()),
                    Set.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public Flux<GenerationEvent> generate(GenerationRequest request) {
        return Flux.<GenerationEvent>create(sink -> submit(request, sink))
                .subscribeOn(textScheduler, false)
                .onErrorMap(RejectedExecutionException.class, closed -> shuttingDown());
    }

    private static EngineException shuttingDown() {
        return new EngineException.Unavailable(EngineLoop.SHUTTING_DOWN);
    }

    private void submit(GenerationRequest request, FluxSink<GenerationEvent> sink) {
        long accepted = System.nanoTime();
        try {
            LoadedModel target = target(request.model());
            PreparedPrompt prepared = target.prepare(request.prompt());
            int[] prompt = prepared.ids();
            int choices = choices(request);
            List<AnswerText> answerTexts = new ArrayList<>(choices);
            for (int choice = 0; choice < choices; choice++) {
                answerTexts.add(new AnswerText(
                        choice, target.tokenizer(), prepared.parsers().get(), wanted(request)));
            }
            String id = target.description().id();
            List<PromptEcho> echoes = echoes(request, target, prompt);
            Answer answer = new Answer(
                    new Answer.Facts(request.id(), id, request.prompt().field(), prompt.length, accepted),
                    sink,
                    answerTexts,
                    echoes,
                    texts,
                    loop);
            List<Sequence> sequences = new ArrayList<>(choices);
            for (int choice = 0; choice < choices; choice++) {
                sequences.add(sequence(request, target, answer, prepared, choice, accepted));
            }
            loop.submit(answer, sequences);
        } catch (EngineException e) {
            sink.error(e);
        } catch (RuntimeException | Error e) {
            // Reactor lets no Error through to the subscriber, and a request must end whatever happens
            sink.error(new EngineException.Failed("the prompt could not be read", e));
        }
    }

    private static List<PromptEcho> echoes(GenerationRequest request, LoadedModel target, int[] prompt) {
        int echoing = request.output().echo() ? request.output().choices() : 0;
        return IntStream.range(0, echoing)
                .mapToObj(choice -> PromptEcho.of(request.prompt(), prompt, target.tokenizer(), topLogprobs(request)))
                .toList();
    }

    private static AnswerText.Wanted wanted(GenerationRequest request) {
        return new AnswerText.Wanted(request.stop().stops(), request.stop().afterToolCall(), topLogprobs(request));
    }

    /** Negative for no log-probabilities at all. */
    private static int topLogprobs(GenerationRequest request) {
        return request.output().logprobs() ? request.output().topLogprobs() : -1;
    }

    @Override
    public Mono<Integer> countTokens(@Nullable String model, Prompt prompt) {
        return Mono.fromCallable(() -> target(model).count(prompt))
                .subscribeOn(textScheduler)
                .onErrorMap(RejectedExecutionException.class, closed -> shuttingDown());
    }

    /** More than ever fit into batch and queue are refused for good, and not with the advice to try again. */
    private int choices(GenerationRequest request) {
        int choices = request.output().choices();
        int most = settings.scheduler().queueLimit() + settings.scheduler().maxBatchSize();
        if (choices > 1 && choices > most) {
            throw new EngineException.InvalidRequest(
                    "n", "n is " + choices + ", but at most " + most + " answers may be computed and wait");
        }
        return choices;
    }

    private Sequence sequence(
            GenerationRequest request,
            LoadedModel target,
            Answer answer,
            PreparedPrompt prepared,
            int choice,
            long accepted) {
        int[] prompt = prepared.ids();
        Set<Integer> ends = target.endTokens(request.stop());
        SamplingParameters sampling = settings.sampling().resolve(request.sampling(), request.stop(), ends, choice);
        int room = target.description().contextLength() - prompt.length;
        Integer wanted = request.stop().maxTokens();
        SequenceSpec spec = new SequenceSpec(
                request.id() + "/" + choice,
                target.description().id(),
                priority(request),
                accepted,
                prompt.length,
                0,
                wanted == null ? room : Math.min(wanted, room));
        boolean scores = request.output().echo() && request.output().logprobs();
        ThinkingBudget thinking = prepared.budget(request.stop().thinkingBudget());
        return new Sequence(
                spec, new Generation(answer, choice, prompt.clone(), sampling, topLogprobs(request), scores, thinking));
    }

    private static Priority priority(GenerationRequest request) {
        return switch (request.priority()) {
            case HIGH -> Priority.HIGH;
            case NORMAL -> Priority.NORMAL;
            case LOW -> Priority.LOW;
        };
    }

    private LoadedModel target(@Nullable String name) {
        LoadedModel loaded = model;
        if (loaded == null) {
            throw new EngineException.Unavailable("the model is still being loaded");
        }
        if (name != null && model(name).isEmpty()) {
            throw new EngineException.ModelNotFound(name);
        }
        return loaded;
    }

    @Override
    public List<ModelDescription> models() {
        LoadedModel loaded = model;
        return loaded == null ? List.of() : List.of(loaded.description());
    }

    @Override
    public EngineStatus status() {
        SchedulerStats stats = loop.stats();
        return new EngineStatus(
                loop.phase(),
                loop.failure(),
                stats == null ? 0 : stats.running(),
                stats == null ? 0 : stats.waiting(),
                model == null || stats == null ? EngineStatus.Memory.NONE : memoryNow(stats),
                loop.sinceHeartbeat());
    }

    private static EngineStatus.Memory memoryNow(SchedulerStats stats) {
        return new EngineStatus.Memory(
                DeviceMemory.active(), stats.kvReservedBytes(), stats.kvBudgetBytes(), Tensor.live());
    }

    /** Where it computes. */
    public Device device() {
        return Mlx.device();
    }

    /**
     * Takes no new requests from now on; those under way have so much time to end, then they fail. Called again, it can
     * shorten the time.
     *
     * @return completes when the last of them has ended, or the engine has
     */
    public CompletableFuture<Void> drain(Duration patience) {
        return loop.drain(patience);
    }

    /** Fails what is still under way. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        join(loop.close());
        textScheduler.dispose();
        texts.close();
        LoadedModel loaded = model;
        if (loaded != null) {
            loaded.close();
        }
    }
}
