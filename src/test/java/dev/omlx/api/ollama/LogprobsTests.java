package dev.omlx.api.ollama;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How likely the tokens of an answer were. */
class LogprobsTests {
    private static final String CHAT = "/api/chat";
    private static final String WITH_TOP = "\"logprobs\": true, \"top_logprobs\": 2";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @RegisterExtension
    static final TestServer slow = TestServer.with("omlx.server.streaming-interval=3");

    private static List<JsonNode> ask(TestServer to, String path, String fields) {
        String body = """
                {"model": "test/model", "prompt": "Hi", "messages": [{"role": "user", "content": "Hi"}], %s}""".formatted(fields);
        String answer = Objects.requireNonNull(to.post(path, body).getResponseBody());
        return answer.lines().map(line -> JsonMapper.shared().readTree(line)).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {CHAT, "/api/generate"})
    void tellsThemInOnePiece(String path) {
        JsonNode answer = ask(server, path, WITH_TOP + ", \"stream\": false").getFirst();

        assertThat(answer.path("logprobs")
                        .valueStream()
                        .map(token -> token.path("token").stringValue()))
                .containsExactly("Hello", " world");
        assertThat(answer.at("/logprobs/0")).hasToString("""
                {"token":"Hello","logprob":-0.5,"bytes":[72,101,108,108,111],"top_logprobs":[\
                {"token":"Hello","logprob":-0.5,"bytes":[72,101,108,108,111]},\
                {"token":"Hello1","logprob":-1.5,"bytes":[72,101,108,108,111,49]}]}""");
    }

    @ParameterizedTest
    @CsvSource({"false, /api/chat", "true, /api/chat", "false, /api/generate", "true, /api/generate"})
    void streamsThemWithTheirText(boolean slowly, String path) {
        List<JsonNode> whole = new ArrayList<>();
        Script script = Script.answer("a", " b", "é", "😀", "e");
        TestServer to = slowly ? slow : server;
        to.engine().play(script);
        ask(to, path, WITH_TOP + ", \"stream\": false")
                .getFirst()
                .path("logprobs")
                .forEach(whole::add);

        List<JsonNode> streamed = new ArrayList<>();
        for (JsonNode line : ask(to, path, WITH_TOP)) {
            List<JsonNode> tokens = line.path("logprobs").valueStream().toList();
            String text = line.path("message")
                    .path("content")
                    .asString(line.path("response").asString(""));
            assertThat(String.join(
                            "",
                            tokens.stream()
                                    .map(token -> token.path("token").stringValue())
                                    .toList()))
                    .isEqualTo(text);
            streamed.addAll(tokens);
        }

        assertThat(whole).hasSize(5);
        assertThat(streamed).isEqualTo(whole);
    }

    @Test
    void saysNothingOfThemUnlessAsked() {
        assertThat(ask(server, CHAT, "\"top_logprobs\": 2")).noneMatch(line -> line.has("logprobs"));
        assertThat(server.engine().lastRequest().output().logprobs()).isFalse();
        assertThat(ask(server, CHAT, "\"logprobs\": true, \"stream\": false")
                        .getFirst()
                        .at("/logprobs/0/top_logprobs"))
                .isEmpty();
    }
}
