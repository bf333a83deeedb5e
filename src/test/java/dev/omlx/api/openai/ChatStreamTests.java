package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

class ChatStreamTests {
    private static final String OPENING = """
            {"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}""";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void sendsFramesInTheirOrder() {
        EntityExchangeResult<String> response = stream("");

        HttpHeaders headers = response.getResponseHeaders();
        assertThat(headers.getFirst(HttpHeaders.CONTENT_TYPE)).startsWith("text/event-stream");
        assertThat(headers.getCacheControl()).isEqualTo("no-cache");
        assertThat(headers.getFirst("X-Accel-Buffering")).isEqualTo("no");
        assertThat(lines(response)).allMatch(line -> line.startsWith("data: "));
        assertThat(choices(response))
                .containsExactly(
                        OPENING,
                        content(0, "Hello"),
                        content(0, " world"),
                        "{\"index\":0,\"delta\":{},\"logprobs\":null,\"finish_reason\":\"stop\"}");
        assertThat(response.getResponseBody()).endsWith("data: [DONE]\n\n").doesNotContain("usage");
    }

    @Test
    void givesAllChunksOneIdentity() {
        List<String> heads = lines(stream("")).stream()
                .filter(line -> !line.contains("[DONE]"))
                .map(line -> line.substring(0, line.indexOf(",\"choices\":")))
                .distinct()
                .toList();

        assertThat(heads)
                .singleElement()
                .asString()
                .matches(
                        "data: \\{\"id\":\"chatcmpl-[0-9a-f]{32}\",\"object\":\"chat.completion.chunk\",\"created\":\\d+,"
                                + "\"model\":\"test/model\",\"system_fingerprint\":\"fp_[0-9a-f]{10}\"");
    }

    @Test
    void countsTokensInALastChunkWhereAsked() {
        List<String> lines = lines(stream("\"stream_options\": {\"include_usage\": true}"));

        assertThat(lines.subList(0, lines.size() - 2)).allMatch(line -> line.endsWith("}],\"usage\":null}"));
        assertThat(lines.get(lines.size() - 2)).endsWith("""
                ,"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,\
                "prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":0}}}""");
        assertThat(lines.getLast()).isEqualTo("data: [DONE]");
    }

    @Test
    void interleavesChoices() {
        EntityExchangeResult<String> response = stream("\"n\": 2, \"stream_options\": {\"include_usage\": true}");

        String end = "{\"index\":%d,\"delta\":{},\"logprobs\":null,\"finish_reason\":\"stop\"}";
        assertThat(choices(response))
                .containsExactly(
                        OPENING,
                        OPENING.replace("\"index\":0", "\"index\":1"),
                        content(0, "Hello"),
                        content(1, "Hello"),
                        content(0, " world"),
                        content(1, " world"),
                        end.formatted(0),
                        end.formatted(1),
                        "");
        assertThat(response.getResponseBody()).containsOnlyOnce("\"completion_tokens\":4");
    }

    @Test
    void sendsLogprobsWithTheTextTheyBelongTo() {
        List<String> choices = choices(stream("\"logprobs\": true, \"top_logprobs\": 2, \"max_tokens\": 1"));

        assertThat(choices.get(1)).isEqualTo("""
                {"index":0,"delta":{"content":"Hello"},"logprobs":{"content":[{"token":"Hello","logprob":-0.5,\
                "bytes":[72,101,108,108,111],"top_logprobs":[\
                {"token":"Hello","logprob":-0.5,"bytes":[72,101,108,108,111]},\
                {"token":"Hello1","logprob":-1.5,"bytes":[72,101,108,108,111,49]}]}],"refusal":null},\
                "finish_reason":null}""");
        assertThat(choices.getLast()).endsWith("\"finish_reason\":\"length\"}");
    }

    @Test
    void keepsLogprobsOfTokensThatShowNothingYet() {
        byte[] emoji = "😀".getBytes(StandardCharsets.UTF_8);
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new Delta(0, "", List.of(token(Arrays.copyOf(emoji, 2)))))
                        .emit(new Delta(0, "😀", List.of(token(Arrays.copyOfRange(emoji, 2, 4)))))
                        .emit(new Delta(0, "", List.of(token(Arrays.copyOf(emoji, 1)))))
                        .stop(3));

        List<String> choices = choices(stream("\"logprobs\": true"));

        assertThat(choices).hasSize(3);
        assertThat(choices.get(1))
                .contains("\"delta\":{\"content\":\"😀\"}")
                .contains("\"bytes\":[240,159],")
                .contains("\"bytes\":[152,128],");
        assertThat(choices.get(2)).contains("\"delta\":{}").contains("\"bytes\":[240],");
    }

    @Test
    void sendsNoEmptyContent() {
        server.engine().play(Script.empty().start().say("").say("a").say("").stop(3));

        assertThat(choices(stream(""))).hasSize(3).contains(content(0, "a"), OPENING);
    }

    @Test
    void answersPlainlyWhereTheRequestWasNotAccepted() {
        server.engine().play(Script.empty().fail(new EngineException.ContextLengthExceeded("messages", 9000, 8192)));

        EntityExchangeResult<String> response = stream("");

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseHeaders().getContentType()).hasToString("application/json");
        assertThat(response.getResponseBody())
                .startsWith("{\"error\":{\"message\":\"This model's maximum context length is 8192 tokens")
                .contains("\"code\":\"context_length_exceeded\"");
    }

    @Test
    void framesAFaultOfAnOpenStreamAndEndsIt() {
        server.engine().play(Script.empty().start().say("a").fail(new EngineException.Failed("out of memory", null)));

        EntityExchangeResult<String> response = stream("\"stream_options\": {\"include_usage\": true}");

        assertThat(response.getStatus().value()).isEqualTo(200);
        assertThat(lines(response).getLast())
                .isEqualTo("data: {\"error\":{\"message\":\"out of memory\",\"type\":\"server_error\","
                        + "\"param\":null,\"code\":null}}");
        assertThat(response.getResponseBody()).doesNotContain("[DONE]", "\"stop\"", "\"length\"");
    }

    @Test
    void hidesTheInsidesOfAnUnexpectedFault() {
        server.engine().play(Script.empty().start().fail(new IllegalStateException("dev.omlx.Secret")));

        assertThat(lines(stream("")).getLast())
                .startsWith("data: {\"error\":{\"message\":\"the server failed")
                .doesNotContain("Secret");
    }

    @Test
    void sendsTextAsItComes() {
        server.engine()
                .play(Script.empty()
                        .start()
                        .say("first")
                        .pause(Duration.ofMinutes(1))
                        .say("late")
                        .stop(2));

        List<String> frames = server.client()
                .post()
                .uri(ChatBody.PATH)
                .header(HttpHeaders.CONTENT_TYPE, "application/json")
                .bodyValue(ChatBody.with("\"stream\": true"))
                .exchange()
                .returnResult(String.class)
                .getResponseBody()
                .take(2)
                .collectList()
                .block(Duration.ofSeconds(10));

        assertThat(frames).hasSize(2).last().asString().contains("first");
    }

    @Test
    void escapesWhatJsonHasToEscape() {
        server.engine().play(Script.empty().start().say("\"\\\n\u0001 é 😀").stop(1));

        assertThat(choices(stream(""))).contains(content(0, "\\\"\\\\\\n\\u0001 é 😀"));
    }

    @Test
    void finishesEachChoiceForItsOwnReason() {
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new ChoiceFinished(1, FinishReason.LENGTH, null))
                        .emit(new Delta(0, "a", List.of()))
                        .stop(1));

        assertThat(choices(stream("\"n\": 2")))
                .contains(
                        "{\"index\":1,\"delta\":{},\"logprobs\":null,\"finish_reason\":\"length\"}",
                        "{\"index\":0,\"delta\":{},\"logprobs\":null,\"finish_reason\":\"stop\"}");
    }

    private static EntityExchangeResult<String> stream(String fields) {
        return server.post(ChatBody.PATH, ChatBody.with("\"stream\": true" + (fields.isEmpty() ? "" : ", ") + fields));
    }

    private static TokenLogprob token(byte[] bytes) {
        return new TokenLogprob(1, "?", bytes, -1, List.of());
    }

    private static String content(int choice, String escaped) {
        return "{\"index\":%d,\"delta\":{\"content\":\"%s\"},\"logprobs\":null,\"finish_reason\":null}"
                .formatted(choice, escaped);
    }

    private static List<String> lines(EntityExchangeResult<String> response) {
        return String.valueOf(response.getResponseBody())
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** What stands in the {@code choices} of each chunk. */
    private static List<String> choices(EntityExchangeResult<String> response) {
        return lines(response).stream()
                .filter(line -> line.contains("\"choices\":["))
                .map(line -> line.replaceFirst(".*\"choices\":\\[(.*)](?:}|,\"usage\":.*})$", "$1"))
                .toList();
    }
}
