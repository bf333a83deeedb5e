package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.testsupport.TestModels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The default model, told that it thinks, ends its thoughts when it must: it has no token for that and spells the mark. */
class ThinkingBudgetIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int TOKENS = 40;
    private static MlxInferenceEngine engine;

    @BeforeAll
    static void start() {
        engine = TestEngines.start(
                TestModels.smollm2(),
                SchedulerConfig.DEFAULT,
                UnaryOperator.identity(),
                8L << 30,
                shown -> shown.with(ReasoningFormat.THINK, null));
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    private record Told(String thoughts, String text, FinishReason reason, int reasoningTokens, int tokens) {
        static Told of(List<GenerationEvent> events) {
            StringBuilder thoughts = new StringBuilder();
            StringBuilder text = new StringBuilder();
            FinishReason reason = null;
            for (GenerationEvent event : events) {
                switch (event) {
                    case ReasoningDelta delta -> thoughts.append(delta.text());
                    case Delta delta -> text.append(delta.text());
                    case ChoiceFinished finished -> reason = finished.reason();
                    default -> {}
                }
            }
            Completed completed = (Completed) events.getLast();
            return new Told(
                    thoughts.toString(),
                    text.toString(),
                    Objects.requireNonNull(reason),
                    completed.usage().reasoningTokens(),
                    completed.usage().completionTokens());
        }
    }

    private static GenerationRequest request(String question, @Nullable Integer budget, SamplingOptions sampling) {
        Prompt prompt = new Prompt.Chat(List.of(ChatMessage.user(question)), List.of(), Map.of(), "<think>");
        return TestEngines.request(
                prompt, sampling, StopConditions.after(TOKENS).thinkingAtMost(budget));
    }

    private static Told ask(GenerationRequest request) {
        return Told.of(
                Objects.requireNonNull(engine.generate(request).collectList().block(PATIENCE)));
    }

    @Test
    void endsThoughtsAndAnswers() {
        String question = "Why is the sky blue?";
        Told free = ask(request(question, null, SamplingOptions.GREEDY));
        assertThat(free.text).isEmpty();
        assertThat(free.reasoningTokens).isGreaterThan(20);

        Told held = ask(request(question, 8, SamplingOptions.GREEDY));

        assertThat(held.reasoningTokens).isEqualTo(8);
        assertThat(free.thoughts).startsWith(held.thoughts);
        assertThat(held.text).isNotBlank().doesNotContain("think>");
        assertThat(held.tokens).isLessThanOrEqualTo(TOKENS);
        assertThat(held.reason).isIn(FinishReason.STOP, FinishReason.LENGTH);
    }

    @Test
    void isTheSameAloneAndInCompany() {
        List<GenerationRequest> requests = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            SamplingOptions sampling =
                    new SamplingOptions(i % 2 == 0 ? 0.0 : 0.8, null, null, null, 1.1, null, null, (long) i, Map.of());
            requests.add(request("Tell me about the number " + i + ".", i % 3 == 0 ? null : i, sampling));
        }
        List<Told> alone = requests.stream().map(ThinkingBudgetIT::ask).toList();

        List<Told> together = Flux.fromIterable(requests)
                .flatMapSequential(
                        request -> engine.generate(request).collectList().map(Told::of), 12)
                .collectList()
                .block(PATIENCE);

        assertThat(together).isEqualTo(alone);
    }
}
