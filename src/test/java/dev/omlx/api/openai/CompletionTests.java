package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompletionTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void completesInOnePiece() {
        EntityExchangeResult<String> response =
                server.post(CompletionBody.PATH, CompletionBody.with("\"model\": \"alias\""));

        assertThat(response.getStatus().value()).isEqualTo(200);
        assertThat(response.getResponseBody()).matches("""
                \\{"id":"cmpl-[0-9a-f]{32}","object":"text_completion","created":\\d+,"model":"test/model",\
                "system_fingerprint":"fp_[0-9a-f]{10}","choices":\\[\\{"text":"Hello world","index":0,\
                "logprobs":null,"finish_reason":"stop"}],\
                "usage":\\{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,\
                "prompt_tokens_details":\\{"cached_tokens":4},\
                "completion_tokens_details":\\{"reasoning_tokens":0}}}""");
    }

    @Test
    void asksForSixteenTokensUnlessTold() {
        post("");
        assertThat(server.engine().lastRequest().stop().maxTokens()).isEqualTo(16);
        post("\"max_tokens\": 3, \"stop\": \"x\", \"seed\": 5, \"echo\": true, \"logprobs\": 2");
        GenerationRequest request = server.engine().lastRequest();
        assertThat(request.stop().maxTokens()).isEqualTo(3);
        assertThat(request.stop().stops()).containsExactly("x");
        assertThat(request.sampling().seed()).isEqualTo(5);
        assertThat(request.output()).isEqualTo(new OutputOptions(1, true, 2, true));
        assertThat(request.prompt()).isEqualTo(new Prompt.Text("Hi"));
    }

    @Test
    void numbersChoicesByPromptAndThenByAnswer() {
        server.engine().play(Script.each(request -> Script.answer(String.valueOf(request.prompt()))));

        JsonNode choices = json("{\"prompt\": [\"a\", \"b\", \"c\"], \"n\": 2}").path("choices");

        assertThat(choices.size()).isEqualTo(6);
        for (int i = 0; i < 6; i++) {
            assertThat(choices.get(i).path("index").intValue()).isEqualTo(i);
            assertThat(choices.get(i).path("text").stringValue()).isEqualTo("Text[text=" + "abc".charAt(i / 2) + "]");
        }
    }

    @Test
    void takesTokens() {
        json("{\"prompt\": [1, 2, 3]}");
        assertThat(server.engine().lastRequest().prompt()).isEqualTo(new Prompt.Tokens(List.of(1, 2, 3)));

        JsonNode answer = json("{\"prompt\": [[1, 2], [3]]}");
        assertThat(answer.path("choices").size()).isEqualTo(2);
        assertThat(answer.path("usage").path("prompt_tokens").intValue()).isEqualTo(2 * Script.PROMPT_TOKENS);
        assertThat(answer.path("usage").path("completion_tokens").intValue()).isEqualTo(4);
        assertThat(server.engine().requests().stream().skip(1).map(GenerationRequest::prompt))
                .containsExactlyInAnyOrder(new Prompt.Tokens(List.of(1, 2)), new Prompt.Tokens(List.of(3)));
    }

    @Test
    void reportsLogprobsInTheLegacyShape() {
        JsonNode logprobs = post("\"logprobs\": 2").path("choices").path(0).path("logprobs");

        assertThat(logprobs).hasToString("""
                {"tokens":["Hello"," world"],"token_logprobs":[-0.5,-0.5],\
                "top_logprobs":[{"Hello":-0.5,"Hello1":-1.5},{" world":-0.5," world1":-1.5}],"text_offset":[0,5]}""");
    }

    @Test
    void alwaysNamesTheChosenTokenAmongTheLikeliest() {
        assertThat(post("\"logprobs\": 0")
                        .path("choices")
                        .path(0)
                        .path("logprobs")
                        .path("top_logprobs"))
                .hasToString("[{\"Hello\":-0.5},{\" world\":-0.5}]");
    }

    /** Bug case 47: N log-probabilities of the prompt, the first null, and offsets in characters of the text. */
    @Test
    void scoresThePromptAlone() {
        byte[] emoji = "😀".getBytes(StandardCharsets.UTF_8);
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new Delta(
                                0,
                                "é 😀!",
                                List.of(
                                        token("é", Float.NaN),
                                        token(" ", -1),
                                        token(Arrays.copyOf(emoji, 2), -2),
                                        token(Arrays.copyOfRange(emoji, 2, 4), -3),
                                        token("!", -4))))
                        .emit(new ChoiceFinished(0, FinishReason.LENGTH, null))
                        .complete(0));

        JsonNode choice = post("\"echo\": true, \"max_tokens\": 0, \"logprobs\": 1")
                .path("choices")
                .path(0);

        assertThat(choice).hasToString("""
                {"text":"é 😀!","index":0,"logprobs":{"tokens":["é"," ","bytes:\\\\xf0\\\\x9f","bytes:\\\\x98\\\\x80","!"],\
                "token_logprobs":[null,-1.0,-2.0,-3.0,-4.0],"top_logprobs":[null,{" ":-1.0},\
                {"bytes:\\\\xf0\\\\x9f":-2.0},{"bytes:\\\\x98\\\\x80":-3.0},{"!":-4.0}],"text_offset":[0,1,2,2,3]},\
                "finish_reason":"length"}""");
    }

    @Test
    void returnsTheBestOfManyByTheirMeanLogprob() {
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(said(0, "Hi", -9))
                        .emit(said(1, "Hi", -9))
                        .emit(said(2, "Hi", -9))
                        .emit(said(0, "poor", -3))
                        .emit(said(1, "long", -1))
                        .emit(said(1, "er", -1))
                        .emit(said(1, "!", -1))
                        .emit(said(2, "best", -0.5f))
                        .emit(new ChoiceFinished(0, FinishReason.STOP, null))
                        .emit(new ChoiceFinished(1, FinishReason.LENGTH, null))
                        .emit(new ChoiceFinished(2, FinishReason.STOP, null))
                        .complete(5));

        JsonNode answer = post("\"best_of\": 3, \"n\": 2, \"echo\": true");

        assertThat(server.engine().lastRequest().output()).isEqualTo(new OutputOptions(3, true, 0, true));
        assertThat(answer.path("choices")).hasToString("""
                [{"text":"Hibest","index":0,"logprobs":null,"finish_reason":"stop"},\
                {"text":"Hilonger!","index":1,"logprobs":null,"finish_reason":"length"}]""");
        assertThat(answer.path("usage").path("completion_tokens").intValue()).isEqualTo(5);
    }

    @Test
    void failsWithoutHalfAnAnswer() {
        server.engine()
                .play(Script.each(request -> request.prompt().equals(new Prompt.Text("b"))
                        ? Script.empty().start().fail(new EngineException.Failed("out of luck", null))
                        : Script.answer("fine")));

        EntityExchangeResult<String> response = server.post(CompletionBody.PATH, "{\"prompt\": [\"a\", \"b\"]}");

        assertThat(response.getStatus().value()).isEqualTo(500);
        assertThat(response.getResponseBody()).contains("out of luck").doesNotContain("fine");
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "5, 3", "128, 1"})
    void asksForNoMoreAnswersAtOnceThanAQueueTakes(int answers, int most) throws IOException {
        server.engine().play(Script.empty().start().hang());
        String prompts = String.join(", ", Collections.nCopies(40, "\"a\""));
        String body = "{\"prompt\": [%s], \"n\": %d, \"temperature\": 1}".formatted(prompts, answers);

        try (RawConnection client = RawConnection.to(server).post("/v1/completions", body)) {
            await().during(Duration.ofMillis(200)).until(() -> server.engine().running() == most);
        }
    }

    /** A queue that is shorter than the prompts are many refuses no completion for good. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 15})
    void takesTurnsWhereTheEngineHasRoomForFew(int room) {
        server.engine()
                .play(Script.each(request -> server.engine().running() > room
                        ? Script.empty()
                                .fail(new EngineException.Overloaded("the queue is full", Duration.ofSeconds(1)))
                        : Script.empty()
                                .start()
                                .pause(Duration.ofMillis(20))
                                .say("fine")
                                .stop(1)));
        String prompts = String.join(", ", Collections.nCopies(40, "\"a\""));

        EntityExchangeResult<String> whole = server.post(CompletionBody.PATH, "{\"prompt\": [%s]}".formatted(prompts));
        EntityExchangeResult<String> streamed =
                server.post(CompletionBody.PATH, "{\"prompt\": [%s], \"stream\": true}".formatted(prompts));

        assertThat(whole.getStatus().value()).isEqualTo(200);
        for (EntityExchangeResult<String> response : List.of(whole, streamed)) {
            assertThat(String.valueOf(response.getResponseBody()).split("\"text\":\"fine\"", -1))
                    .hasSize(41);
        }
    }

    @Test
    void isRefusedWhereTheEngineHasNoRoomAtAll() {
        server.engine()
                .play(Script.empty().fail(new EngineException.Overloaded("the queue is full", Duration.ofSeconds(7))));

        EntityExchangeResult<String> response = server.post(CompletionBody.PATH, "{\"prompt\": [\"a\", \"b\"]}");

        assertThat(response.getStatus().value()).isEqualTo(429);
        assertThat(response.getResponseHeaders().getFirst("Retry-After")).isEqualTo("7");
        assertThat(server.engine().requests()).hasSize(1);
    }

    private static Delta said(int choice, String text, float logprob) {
        return new Delta(choice, text, List.of(token(text, logprob)));
    }

    private static TokenLogprob token(String text, float logprob) {
        return token(text.getBytes(StandardCharsets.UTF_8), logprob);
    }

    private static TokenLogprob token(byte[] bytes, float logprob) {
        return new TokenLogprob(1, new String(bytes, StandardCharsets.UTF_8), bytes, logprob, List.of());
    }

    private static JsonNode post(String fields) {
        return json(CompletionBody.with(fields));
    }

    private static JsonNode json(String body) {
        EntityExchangeResult<String> response = server.post(CompletionBody.PATH, body);
        assertThat(response.getStatus().value()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.getResponseBody());
    }
}
