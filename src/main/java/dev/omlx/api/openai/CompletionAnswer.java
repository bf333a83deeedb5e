package dev.omlx.api.openai;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.TokenLogprob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects the events of all prompts into the whole response. For one request, and for one thread at a time. */
final class CompletionAnswer {
    private final CompletionRequest request;
    private final long created;
    private final List<List<Candidate>> prompts;
    private final UsageSum usage = new UsageSum();

    /** @param created when the answer began, in seconds since 1970 */
    CompletionAnswer(CompletionRequest request, long created) {
        this.request = request;
        this.created = created;
        this.prompts = request.generations().stream()
                .map(prompt -> Stream.generate(Candidate::new)
                        .limit(request.candidates())
                        .toList())
                .toList();
    }

    void add(PromptEvent happened) {
        List<Candidate> candidates = prompts.get(happened.prompt());
        switch (happened.event()) {
            case Started started -> {}
            case Delta delta -> candidates.get(delta.choice()).add(delta, request.echo());
            // the continuation of a text is not taken apart
            case ReasoningDelta none -> {}
            case ToolCall none -> {}
            case ChoiceFinished finished -> candidates.get(finished.choice()).reason = finished.reason();
            case Completed completed -> usage.add(completed.usage());
        }
    }

    /** The response, once all events are in. */
    Completion response() {
        if (usage.counted() < prompts.size()) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        List<Completion.Choice> choices = new ArrayList<>();
        for (int prompt = 0; prompt < prompts.size(); prompt++) {
            List<Candidate> best = best(prompts.get(prompt));
            for (int choice = 0; choice < best.size(); choice++) {
                choices.add(choice(best.get(choice), request.index(prompt, choice)));
            }
        }
        return new Completion(
                request.id(),
                Completion.OBJECT,
                created,
                request.model().id(),
                Fingerprint.of(request.model()),
                choices,
                usage.body());
    }

    private List<Candidate> best(List<Candidate> candidates) {
        return candidates.size() == request.choices()
                ? candidates
                : candidates.stream()
                        .sorted(Comparator.comparingDouble(Candidate::meanLogprob)
                                .reversed())
                        .limit(request.choices())
                        .toList();
    }

    private Completion.Choice choice(Candidate candidate, int index) {
        if (candidate.reason == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        ChoiceBuffer.Content content = candidate.buffer.take();
        return new Completion.Choice(
                content.text(),
                index,
                request.logprobs() ? CompletionLogprobs.of(content.tokens(), new TextOffsets()) : null,
                FinishReasons.of(candidate.reason));
    }

    /** An answer to one prompt that may be returned. */
    private static final class Candidate {
        private final ChoiceBuffer buffer = new ChoiceBuffer();
        private @Nullable FinishReason reason;
        private boolean begun;
        private double logprobs;
        private int tokens;

        /** @param echo whether its first delta is the prompt, which says nothing of how good it is */
        void add(Delta delta, boolean echo) {
            buffer.add(delta);
            if (begun || !echo) {
                logprobs += delta.tokens().stream()
                        .mapToDouble(TokenLogprob::logprob)
                        .sum();
                tokens += delta.tokens().size();
            }
            begun = true;
        }

        double meanLogprob() {
            return tokens == 0 ? Double.NEGATIVE_INFINITY : logprobs / tokens;
        }
    }
}
