package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.engine.TestEngines.Answered;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.engine.api.TokenLogprob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The default model through the whole engine gives what mlx-lm gives, alone and in company. */
class SmolLm2ReferenceIT {
    private static final Path REFERENCE = Path.of("src/test/resources/reference/smollm2");
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    /** Below this distance to the second-best token, in nat, another token may be right. */
    private static final double MARGIN = 0.05;

    private static final double LOGPROB_TOLERANCE = 0.01;

    private static MlxInferenceEngine engine;

    record Message(String role, String content) {}

    record Greedy(int max_tokens, int end_token, List<Chat> chats) {}

    record Chat(
            List<Message> messages,
            int[] prompt_tokens,
            int[] tokens,
            double[] margins,
            String finish_reason,
            String text) {}

    record Logprobs(List<Scored> chats) {}

    record Scored(List<Message> messages, List<Position> positions) {}

    record Position(int token, List<Candidate> top) {}

    record Candidate(int id, double logprob) {}

    @BeforeAll
    static void start() {
        engine = TestEngines.smollm2();
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    @Test
    void greedyAnswersEqualOneByOne() throws IOException {
        Greedy greedy = read("greedy.json", Greedy.class);
        for (Chat chat : greedy.chats().subList(0, 8)) {
            assertEqual(chat, greedy.end_token(), TestEngines.ask(engine, request(chat, greedy.max_tokens())));
        }
    }

    @Test
    void greedyAnswersEqualAllAtOnce() throws IOException {
        Greedy greedy = read("greedy.json", Greedy.class);
        List<Answered> answers = TestEngines.askTogether(
                engine,
                greedy.chats().stream()
                        .map(chat -> request(chat, greedy.max_tokens()))
                        .toList());
        for (int i = 0; i < greedy.chats().size(); i++) {
            assertEqual(greedy.chats().get(i), greedy.end_token(), answers.get(i));
        }
    }

    @Test
    void seededAnswersAreTheSameAloneAndInCompany() throws IOException {
        List<GenerationRequest> requests = new ArrayList<>();
        for (Chat chat : read("greedy.json", Greedy.class).chats().subList(0, 12)) {
            SamplingOptions seeded =
                    new SamplingOptions(1.0, 1.0, null, null, null, null, null, (long) requests.size(), Map.of());
            requests.add(TestEngines.request(prompt(chat.messages()), seeded, StopConditions.after(32)));
        }
        List<Answered> together = TestEngines.askTogether(engine, requests);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(TestEngines.ask(engine, requests.get(i)).tokens())
                    .as("chat %d", i)
                    .isEqualTo(together.get(i).tokens());
        }
    }

    @Test
    void logprobsEqual() throws IOException {
        for (Scored chat : read("logprobs.json", Logprobs.class).chats()) {
            GenerationRequest request = new GenerationRequest(
                    "logprobs",
                    null,
                    prompt(chat.messages()),
                    SamplingOptions.GREEDY,
                    StopConditions.after(chat.positions().size()),
                    new OutputOptions(1, true, 5));
            List<TokenLogprob> tokens = new ArrayList<>();
            for (GenerationEvent event : Objects.requireNonNull(
                    engine.generate(request).collectList().block(Duration.ofMinutes(1)))) {
                if (event instanceof GenerationEvent.Delta delta) {
                    tokens.addAll(delta.tokens());
                }
            }
            for (int i = 0; i < tokens.size(); i++) {
                assertCandidates(chat.positions().get(i), tokens.get(i));
                if (tokens.get(i).id() != chat.positions().get(i).token()) {
                    break;
                }
            }
        }
    }

    private static void assertCandidates(Position expected, TokenLogprob actual) {
        assertThat(actual.top()).hasSize(5);
        for (Candidate candidate : expected.top()) {
            actual.top().stream()
                    .filter(token -> token.id() == candidate.id())
                    .forEach(token -> assertThat((double) token.logprob())
                            .isCloseTo(candidate.logprob(), within(LOGPROB_TOLERANCE)));
        }
        assertThat((double) actual.top().getFirst().logprob())
                .isCloseTo(expected.top().getFirst().logprob(), within(LOGPROB_TOLERANCE));
    }

    private static void assertEqual(Chat chat, int endToken, Answered answer) {
        int[] expected =
                IntStream.of(chat.tokens()).filter(id -> id != endToken).toArray();
        assertThat(answer.completed().usage().promptTokens()).isEqualTo(chat.prompt_tokens().length);
        for (int i = 0; i < expected.length; i++) {
            int actual = i < answer.tokens().size() ? answer.tokens().get(i) : endToken;
            if (actual != expected[i]) {
                assertThat(chat.margins()[i])
                        .as("token %d of '%s' is %d, not %d", i, chat.text(), actual, expected[i])
                        .isLessThan(MARGIN);
                return;
            }
        }
        assertThat(answer.text()).isEqualTo(chat.text());
        assertThat(answer.reason().name()).isEqualToIgnoringCase(chat.finish_reason());
        assertThat(answer.completed().usage().completionTokens()).isEqualTo(expected.length);
    }

    private static GenerationRequest request(Chat chat, int tokens) {
        return TestEngines.greedy(prompt(chat.messages()), tokens);
    }

    private static Prompt prompt(List<Message> messages) {
        return Prompt.Chat.of(messages.stream()
                .map(message -> ChatMessage.of(message.role(), message.content()))
                .toList());
    }

    private static <T> T read(String file, Class<T> type) throws IOException {
        return JSON.readValue(Files.readAllBytes(REFERENCE.resolve(file)), type);
    }
}
