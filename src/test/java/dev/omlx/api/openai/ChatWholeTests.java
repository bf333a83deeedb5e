package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

class ChatWholeTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void answersInOnePiece() {
        EntityExchangeResult<String> response = server.post(ChatBody.PATH, ChatBody.with("\"model\": \"alias\""));

        assertThat(response.getStatus().value()).isEqualTo(200);
        assertThat(response.getResponseHeaders().getContentType()).hasToString("application/json");
        assertThat(response.getResponseBody()).matches("""
                \\{"id":"chatcmpl-[0-9a-f]{32}","object":"chat.completion","created":\\d+,"model":"test/model",\
                "system_fingerprint":"fp_[0-9a-f]{10}","choices":\\[\\{"index":0,\
                "message":\\{"role":"assistant","content":"Hello world","refusal":null},\
                "logprobs":null,"finish_reason":"stop"}],\
                "usage":\\{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,\
                "prompt_tokens_details":\\{"cached_tokens":4},\
                "completion_tokens_details":\\{"reasoning_tokens":0}}}""");
    }

    @Test
    void answersSeveralTimes() {
        assertThat(body("\"n\": 2, \"max_tokens\": 1")).contains("""
                "choices":[{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null},\
                "logprobs":null,"finish_reason":"length"},\
                {"index":1,"message":{"role":"assistant","content":"Hello","refusal":null},\
                "logprobs":null,"finish_reason":"length"}],\
                "usage":{"prompt_tokens":7,"completion_tokens":2,""");
    }

    @Test
    void reportsLogprobs() {
        assertThat(body("\"logprobs\": true, \"top_logprobs\": 1, \"max_tokens\": 1"))
                .contains("""
                "logprobs":{"content":[{"token":"Hello","logprob":-0.5,"bytes":[72,101,108,108,111],\
                "top_logprobs":[{"token":"Hello","logprob":-0.5,"bytes":[72,101,108,108,111]}]}],"refusal":null}""");
    }

    @Test
    void reportsLogprobsOfAnEmptyAnswer() {
        server.engine().play(Script.answer());

        assertThat(body("\"logprobs\": true")).contains("\"logprobs\":{\"content\":[],\"refusal\":null}");
    }

    @Test
    void failsWithoutHalfAnAnswer() {
        server.engine().play(Script.empty().start().say("a").fail(new EngineException.Failed("out of memory", null)));

        EntityExchangeResult<String> response = server.post(ChatBody.PATH, ChatBody.with(""));

        assertThat(response.getStatus().value()).isEqualTo(500);
        assertThat(response.getResponseBody())
                .isEqualTo("{\"error\":{\"message\":\"out of memory\",\"type\":\"server_error\","
                        + "\"param\":null,\"code\":null}}");
    }

    @Test
    void keepsTheFingerprintOfAModel() {
        String fingerprint = "\"system_fingerprint\":\"fp_[0-9a-f]{10}\"";
        String one = body("").replaceFirst(".*(" + fingerprint + ").*", "$1");
        String other = body("\"model\": \"other\"").replaceFirst(".*(" + fingerprint + ").*", "$1");

        assertThat(body("\"seed\": 3")).contains(one);
        assertThat(other).isNotEqualTo(one);
    }

    private static String body(String fields) {
        return String.valueOf(server.post(ChatBody.PATH, ChatBody.with(fields)).getResponseBody());
    }
}
