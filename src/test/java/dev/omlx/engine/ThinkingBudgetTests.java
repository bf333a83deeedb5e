package dev.omlx.engine;

import static dev.omlx.engine.ScriptedLoop.start;
import static dev.omlx.engine.ScriptedLoop.textOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.parse.DeclaredTools;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.OutputParser;
import dev.omlx.parse.Piece;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.testsupport.ReasoningMarks;
import dev.omlx.testsupport.TinyModel;
import dev.omlx.text.ModelText;
import dev.omlx.text.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Thoughts end at their budget, and the answer goes on. The tokens of the model here are bytes. */
class ThinkingBudgetTests {
    private static final OutputFormat THINK = new OutputFormat(ReasoningFormat.THINK, ToolFormat.NONE);
    private static final DeclaredTools NO_TOOLS = DeclaredTools.of(List.of());

    @TempDir
    private static Path folder;

    private static ModelText text;
    private static Tokenizer tokenizer;

    @BeforeAll
    static void read() {
        text = ModelText.of(TinyModel.in(folder));
        tokenizer = text.tokenizer();
    }

    @AfterAll
    static void close() {
        text.close();
    }

    /** The end of thoughts has ten bytes, so the model's own letters go on with the tenth behind the budget. */
    @ParameterizedTest
    @CsvSource({
        "true,  3, 20, abc, nopqrst, LENGTH",
        "false, 3, 20, abc, nopqrst, LENGTH",
        "true,  3, 99, abc, nopqrstuvwxy, STOP",
        "true,  1, 13, a, lm, LENGTH",
        "true,  0, 12, '', kl, LENGTH",
        "false, 0, 12, '', kl, LENGTH",
        "true,  3, 3, abc, '', LENGTH",
        "true,  50, 99, abcdefghijklmnopqrstuvwxy, '', STOP",
        "true,  , 99, abcdefghijklmnopqrstuvwxy, '', STOP"
    })
    void endsThoughtsAndGoesOn(
            boolean queuesSteps, Integer budget, int tokens, String thoughts, String answer, FinishReason reason) {
        try (ScriptedLoop loop = new ScriptedLoop(tokenizer)) {
            loop.runner.queuesSteps = queuesSteps;

            List<GenerationEvent> events =
                    start(loop.askThinking(THINK, budget, tokens)).join();

            assertThat(thoughtsOf(events)).isEqualTo(thoughts);
            assertThat(textOf(events)).isEqualTo(answer);
            assertThat(events).contains(new ChoiceFinished(0, reason, null));
            Completed completed = (Completed) events.getLast();
            assertThat(completed.usage().reasoningTokens()).isEqualTo(thoughts.length());
            assertThat(completed.usage().completionTokens()).isEqualTo(Math.min(tokens, 25));
            loop.assertIdle();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void concernsNobodyElse(boolean queuesSteps) {
        try (ScriptedLoop loop = new ScriptedLoop(tokenizer)) {
            loop.runner.queuesSteps = queuesSteps;
            List<CompletableFuture<List<GenerationEvent>>> plain = new ArrayList<>();
            List<CompletableFuture<List<GenerationEvent>>> thinking = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                plain.add(loop.start(12 + i));
                thinking.add(start(loop.askThinking(THINK, i, 24)));
            }
            for (int i = 0; i < 8; i++) {
                assertThat(textOf(plain.get(i).join())).isEqualTo(letters(0, 12 + i));
                assertThat(thoughtsOf(thinking.get(i).join())).isEqualTo(letters(0, i));
                assertThat(textOf(thinking.get(i).join())).isEqualTo(letters(10 + i, 24));
            }
        }
    }

    /** Steps that fail in company are computed anew, and the forced tokens with them. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9})
    void survivesAFault(int step) {
        try (ScriptedLoop loop = new ScriptedLoop(tokenizer)) {
            loop.runner.onRead = (number, plan) -> number == step ? new IllegalStateException("no luck") : null;

            List<CompletableFuture<List<GenerationEvent>>> answers = List.of(
                    start(loop.askThinking(THINK, 3, 20)),
                    start(loop.askThinking(THINK, 3, 20)),
                    start(loop.askThinking(THINK, 4, 20)));

            long ended = answers.stream()
                    .filter(answer ->
                            answer.handle((events, failure) -> failure == null).join())
                    .peek(answer -> assertThat(textOf(answer.join())).isIn("nopqrst", "opqrst"))
                    .count();
            assertThat(ended).isGreaterThanOrEqualTo(2);
        }
    }

    /** Whatever the model writes, and be it half a mark, no more is thought than allowed. */
    @ParameterizedTest
    @EnumSource(ReasoningFormat.class)
    void holdsForAllFormats(ReasoningFormat reasoning) {
        OutputFormat format =
                new OutputFormat(reasoning, reasoning == ReasoningFormat.NONE ? ToolFormat.HARMONY : ToolFormat.NONE);
        String mark = format.reasoningEnd().strip();
        String open =
                reasoning == ReasoningFormat.NONE ? "<|channel|>analysis<|message|>" : ReasoningMarks.open(reasoning);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            StringBuilder said = new StringBuilder(random.nextBoolean() ? "" : " \n").append(open);
            for (int n = random.nextInt(12); n > 0; n--) {
                said.append(random.nextBoolean() ? "thought " : mark.substring(0, 1 + random.nextInt(6)));
            }
            int budget = random.nextInt(30);
            ThinkingBudget thinking =
                    new ThinkingBudget(budget, format.tracker(""), ThinkingBudget.Ends.of(format, tokenizer));
            String written = written(thinking, said + "x".repeat(40) + "Answer");
            List<Piece> pieces = read(format, written);
            String what = "seed %d, budget %d: %s".formatted(seed, budget, written);

            assertThat(pieces.stream()
                            .filter(Piece.Reasoning.class::isInstance)
                            .mapToInt(piece -> ((Piece.Reasoning) piece).text().length())
                            .sum())
                    .as(what)
                    .isBetween(0, budget);
            assertThat(pieces.stream()
                            .filter(Piece.Text.class::isInstance)
                            .map(piece -> ((Piece.Text) piece).text())
                            .collect(Collectors.joining()))
                    .as(what)
                    .endsWith("Answer")
                    .doesNotContain(mark);
        }
    }

    /** What comes of a model that would say that text, a byte a token, and puts up with being interrupted. */
    private static String written(ThinkingBudget thinking, String text) {
        StringBuilder written = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int forced = thinking.forcedToken();
            int token = forced >= 0 ? forced : tokenizer.encode(text.substring(at, at + 1))[0];
            at += forced >= 0 ? 0 : 1;
            written.append(new String(tokenizer.tokenBytes(token), StandardCharsets.UTF_8));
            thinking.accept(token);
        }
        return written.toString();
    }

    private static List<Piece> read(OutputFormat format, String written) {
        List<Piece> pieces = new ArrayList<>();
        OutputParser parser = format.parser("", NO_TOOLS);
        parser.feed(written, pieces::add);
        parser.finish(pieces::add);
        return pieces;
    }

    private static String letters(int from, int to) {
        return "abcdefghijklmnopqrstuvwxyz".substring(from, to);
    }

    private static String thoughtsOf(List<GenerationEvent> events) {
        return events.stream()
                .filter(ReasoningDelta.class::isInstance)
                .map(event -> ((ReasoningDelta) event).text())
                .collect(Collectors.joining());
    }
}
