package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

class CompletionStreamTests {
    private static final String EMPTY = "{\"text\":\"\",\"index\":0,\"logprobs\":null,\"finish_reason\":null}";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void sendsFramesInTheirOrder() {
        EntityExchangeResult<String> response = stream("\"prompt\": \"Hi\"");

        assertThat(lines(response)).allMatch(line -> line.startsWith("data: "));
        assertThat(choices(response))
                .containsExactly(EMPTY, text(0, "Hello", "null"), text(0, " world", "null"), text(0, "", "\"stop\""));
        assertThat(response.getResponseBody()).endsWith("data: [DONE]\n\n").doesNotContain("usage");
    }

    @Test
    void givesAllChunksOneIdentity() {
        assertThat(lines(stream("\"prompt\": [\"a\", \"b\"]")).stream()
                        .filter(line -> !line.contains("[DONE]"))
                        .map(line -> line.substring(0, line.indexOf(",\"choices\":")))
                        .distinct())
                .singleElement()
                .asString()
                .matches("data: \\{\"id\":\"cmpl-[0-9a-f]{32}\",\"object\":\"text_completion\",\"created\":\\d+,"
                        + "\"model\":\"test/model\",\"system_fingerprint\":\"fp_[0-9a-f]{10}\"");
    }

    @Test
    void countsTheTokensOfAllPromptsOnceAtTheEnd() {
        List<String> lines =
                lines(stream("\"prompt\": [\"a\", \"b\"], \"n\": 2, \"stream_options\": {\"include_usage\": true}"));

        assertThat(lines.subList(0, lines.size() - 2)).allMatch(line -> line.endsWith("}],\"usage\":null}"));
        assertThat(lines.get(lines.size() - 2)).endsWith("""
                ,"choices":[],"usage":{"prompt_tokens":14,"completion_tokens":8,"total_tokens":22,\
                "prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":0}}}""");
        assertThat(lines.getLast()).isEqualTo("data: [DONE]");
    }

    @Test
    void joinsToTheWholeAnswerOfEachChoice() {
        server.engine().play(Script.each(request -> Script.answer(String.valueOf(request.prompt()), "!")));

        List<String> choices = choices(stream("\"prompt\": [[7], [8]], \"n\": 2"));

        for (int index = 0; index < 4; index++) {
            int choice = index;
            assertThat(choices.stream()
                            .filter(frame -> frame.contains("\"index\":" + choice + ","))
                            .toList())
                    .endsWith(
                            text(index, "Tokens[ids=[" + (7 + index / 2) + "]]", "null"),
                            text(index, "!", "null"),
                            text(index, "", "\"stop\""));
        }
    }

    @Test
    void sendsLogprobsWithTheirTextAndOffsetsThatGoOn() {
        assertThat(choices(stream("\"prompt\": \"Hi\", \"logprobs\": 1")).subList(1, 4))
                .containsExactly("""
                        {"text":"Hello","index":0,"logprobs":{"tokens":["Hello"],"token_logprobs":[-0.5],\
                        "top_logprobs":[{"Hello":-0.5}],"text_offset":[0]},"finish_reason":null}""", """
                        {"text":" world","index":0,"logprobs":{"tokens":[" world"],"token_logprobs":[-0.5],\
                        "top_logprobs":[{" world":-0.5}],"text_offset":[5]},"finish_reason":null}""", text(0, "", "\"stop\""));
    }

    @Test
    void endsWithAFramedErrorWhenItFailsLater() {
        server.engine().play(Script.empty().start().say("a").fail(new EngineException.Failed("broken", null)));

        List<String> lines = lines(stream("\"prompt\": \"Hi\""));

        assertThat(lines.getLast()).isEqualTo("""
                data: {"error":{"message":"broken","type":"server_error","param":null,"code":null}}""");
    }

    @Test
    void refusesBeforeTheFirstFrameInPlainJson() {
        server.engine().play(Script.empty().fail(new EngineException.ContextLengthExceeded("prompt", 9000, 8192)));

        EntityExchangeResult<String> response = stream("\"prompt\": \"Hi\"");

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseHeaders().getContentType()).hasToString("application/json");
        assertThat(response.getResponseBody()).contains("context_length_exceeded");
    }

    private static String text(int index, String text, String reason) {
        return "{\"text\":\"%s\",\"index\":%d,\"logprobs\":null,\"finish_reason\":%s}".formatted(text, index, reason);
    }

    private static EntityExchangeResult<String> stream(String fields) {
        return server.post(CompletionBody.PATH, "{" + fields + ", \"stream\": true}");
    }

    private static List<String> lines(EntityExchangeResult<String> response) {
        return String.valueOf(response.getResponseBody())
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** What the frames say of their choice, in order. */
    private static List<String> choices(EntityExchangeResult<String> response) {
        List<String> lines = lines(response);
        return IntStream.range(0, lines.size() - 1)
                .mapToObj(lines::get)
                .map(line -> line.replaceFirst(".*\"choices\":\\[(.*)]}$", "$1"))
                .toList();
    }
}
