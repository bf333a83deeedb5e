package dev.omlx.engine;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.Timings;
import dev.omlx.engine.api.Usage;
import dev.omlx.sampling.RowLogprobs;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.FluxSink;

/**
 * The way of one request's tokens from the engine thread to its subscriber. The engine thread only puts signals into a
 * queue and never waits; turning them into text, and handing on what the subscriber asks for, happens on another
 * thread, one at a time. While the subscriber lags, tokens pile up as ids, at most a context's length of them, and come
 * as one delta afterwards. Ends exactly once: with {@link GenerationEvent.Completed} or with an error.
 */
final class Answer {
    private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

    private final Queue<Signal> signals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();
    private final FluxSink<GenerationEvent> sink;
    private final List<AnswerText> texts;
    private final List<PromptEcho> echoes;
    private final Executor executor;
    private final Aborter aborter;
    private final Facts facts;

    private boolean over;
    private int finishedChoices;
    private volatile long firstStep;
    private volatile long firstToken;

    /**
     * What is known when the request is accepted.
     *
     * @param promptField the field of the request that holds the prompt
     * @param accepted when, in nanoseconds of {@link System#nanoTime}
     */
    record Facts(String requestId, String model, String promptField, int promptTokens, long accepted) {}

    private sealed interface Signal {
        record Accepted() implements Signal {}

        record Scored(int choice, RowLogprobs logprobs) implements Signal {}

        record Token(int choice, int id, @Nullable RowLogprobs logprobs) implements Signal {}

        record Finished(int choice, FinishReason reason) implements Signal {}

        record Failed(EngineException cause) implements Signal {}
    }

    /**
     * @param texts one a choice
     * @param echoes one a choice, or none at all
     * @param executor runs the work that is not the engine thread's
     * @param aborter tells the engine what nobody wants any more; safe from any thread
     */
    Answer(
            Facts facts,
            FluxSink<GenerationEvent> sink,
            List<AnswerText> texts,
            List<PromptEcho> echoes,
            Executor executor,
            Aborter aborter) {
        this.facts = facts;
        this.sink = sink;
        this.texts = List.copyOf(texts);
        this.echoes = List.copyOf(echoes);
        this.executor = executor;
        this.aborter = aborter;
        sink.onRequest(n -> wake());
        sink.onDispose(() -> aborter.abort(this));
    }

    /** How an answer tells the engine that it wants no more; what has ended already is left as it is. */
    interface Aborter {
        void abort(Answer answer);

        void abort(Answer answer, int choice);
    }

    boolean isCancelled() {
        return sink.isCancelled();
    }

    // --- called on the engine thread

    void accepted() {
        put(new Signal.Accepted());
    }

    /** The first step with work for it starts. */
    void started(long nanos) {
        if (firstStep == 0) {
            firstStep = nanos;
        }
    }

    /** How likely the next token of the prompt was. */
    void scored(int choice, RowLogprobs logprobs) {
        put(new Signal.Scored(choice, logprobs));
    }

    void token(int choice, int id, @Nullable RowLogprobs logprobs) {
        if (firstToken == 0) {
            firstToken = System.nanoTime();
        }
        put(new Signal.Token(choice, id, logprobs));
    }

    void finished(int choice, FinishReason reason) {
        put(new Signal.Finished(choice, reason));
    }

    /** Ends it with an error, unless it has ended. */
    void failed(EngineException cause) {
        put(new Signal.Failed(cause));
    }

    // --- one at a time, on the executor

    private void put(Signal signal) {
        signals.add(signal);
        wake();
    }

    private void wake() {
        if (work.getAndIncrement() == 0) {
            try {
                executor.execute(this::drain);
            } catch (RuntimeException | Error e) {
                // nobody else delivers now, so the end must be told from here
                giveUp(e);
                drain();
            }
        }
    }

    private void drain() {
        int missed = 1;
        do {
            try {
                deliver();
            } catch (RuntimeException | Error e) {
                giveUp(e);
            }
            missed = work.addAndGet(-missed);
        } while (missed != 0);
    }

    /** Text or subscriber are broken: the request ends, and the engine computes no more for it. */
    private void giveUp(Throwable cause) {
        aborter.abort(this);
        try {
            fail(new EngineException.Failed("the answer could not be delivered", cause));
        } catch (RuntimeException | Error e) {
            LOG.warn("the subscriber of request {} failed to take its end", this, e);
        }
    }

    private void deliver() {
        Signal signal;
        while (!over && (signal = signals.peek()) != null) {
            if (signal instanceof Signal.Failed failed) {
                fail(failed.cause());
                return;
            }
            if (sink.requestedFromDownstream() == 0) {
                return;
            }
            switch (signal) {
                case Signal.Accepted accepted -> {
                    signals.remove();
                    sink.next(new GenerationEvent.Started(facts.requestId, facts.model, facts.promptTokens));
                    IntStream.range(0, echoes.size()).forEach(this::echo);
                }
                case Signal.Scored scored -> {
                    signals.remove();
                    echoes.get(scored.choice).add(scored.logprobs);
                    echo(scored.choice);
                }
                case Signal.Token token -> text(token.choice);
                case Signal.Finished finished -> {
                    signals.remove();
                    finish(
                            finished.choice,
                            finished.reason,
                            texts.get(finished.choice).end());
                }
                case Signal.Failed failed -> throw new AssertionError("handled above");
            }
        }
    }

    /** Says the prompt, if it is whole now. */
    private void echo(int choice) {
        GenerationEvent.Delta prompt = echoes.get(choice).take(choice);
        if (prompt != null) {
            sink.next(prompt);
        }
    }

    /** Makes as few events as possible of all tokens that wait for this choice. */
    private void text(int choice) {
        AnswerText text = texts.get(choice);
        while (signals.peek() instanceof Signal.Token token && token.choice == choice) {
            signals.remove();
            text.add(token.id, token.logprobs);
        }
        text.take().forEach(sink::next);
        if (text.isOver() && !text.isFinished()) {
            finish(choice, FinishReason.STOP, List.of());
            aborter.abort(this, choice);
        }
    }

    private void finish(int choice, FinishReason reason, List<GenerationEvent> rest) {
        AnswerText text = texts.get(choice);
        if (text.isFinished()) {
            return;
        }
        text.finish();
        rest.forEach(sink::next);
        sink.next(new GenerationEvent.ChoiceFinished(choice, text.reason(reason), text.stop()));
        if (++finishedChoices == texts.size()) {
            over = true;
            sink.next(new GenerationEvent.Completed(usage(), timings()));
            sink.complete();
        }
    }

    private void fail(EngineException cause) {
        if (!over) {
            over = true;
            signals.clear();
            sink.error(cause);
        }
    }

    private Usage usage() {
        return new Usage(
                facts.promptTokens,
                0,
                texts.stream().mapToInt(AnswerText::tokens).sum(),
                texts.stream().mapToInt(AnswerText::reasoningTokens).sum());
    }

    private Timings timings() {
        long now = System.nanoTime();
        long step = firstStep == 0 ? now : firstStep;
        long token = firstToken == 0 ? now : firstToken;
        return new Timings(
                Duration.ofNanos(step - facts.accepted),
                Duration.ofNanos(token - facts.accepted),
                Duration.ofNanos(now - facts.accepted));
    }

    /** The field of the request that holds the prompt. */
    String promptField() {
        return facts.promptField;
    }

    @Override
    public String toString() {
        return facts.requestId;
    }
}
