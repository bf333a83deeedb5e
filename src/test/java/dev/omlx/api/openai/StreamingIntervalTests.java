package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StreamingIntervalTests {
    private static final Pattern CONTENT = Pattern.compile("\"delta\":\\{\"content\":\"(.*?)\"}");

    @RegisterExtension
    static final TestServer server = TestServer.with("omlx.server.streaming-interval=3");

    @Test
    void collectsTokensAfterTheFirst() {
        server.engine().play(Script.answer("a", "b", "c", "d", "e", "f"));

        assertThat(contents("")).containsExactly("a", "bcd", "ef");
    }

    @Test
    void countsEachChoiceForItself() {
        server.engine().play(Script.answer("a", "b", "c", "d"));

        assertThat(contents(", \"n\": 2, \"logprobs\": false")).containsExactly("a", "a", "bcd", "bcd");
    }

    private static List<String> contents(String fields) {
        String body = String.valueOf(server.post(ChatBody.PATH, ChatBody.with("\"stream\": true" + fields))
                .getResponseBody());
        return CONTENT.matcher(body)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
