package dev.omlx.api.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.TestServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;

/** How long the model may think. */
class ThinkingTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enabled  | 2000 | 2001 |                                                  | 2000",
                "enabled  | 2000 | 500  | claude-code-20250219,interleaved-thinking-2025-05-14 | 2000",
                "adaptive | null | 500  |                                                  |",
                "adaptive | 1    | 500  |                                                  |",
                "disabled | 2000 | 500  |                                                  |",
                "disabled | -1   | 500  |                                                  |"
            })
    void limitsThoughts(String type, String budget, int maxTokens, @Nullable String beta, @Nullable Integer limit) {
        String body = """
                {"model": "test/model", "max_tokens": %d, "thinking": {"type": "%s", "budget_tokens": %s},
                 "messages": [{"role": "user", "content": "Hi"}]}""".formatted(maxTokens, type, budget);

        server.client()
                .post()
                .uri("/v1/messages")
                .contentType(MediaType.APPLICATION_JSON)
                .header("anthropic-beta", beta == null ? "" : beta)
                .bodyValue(body)
                .exchange()
                .expectStatus()
                .isOk();

        assertThat(server.engine().lastRequest().stop().thinkingBudget()).isEqualTo(limit);
    }

    /** Clients send thoughts back as they came, some without their signature, and others' thoughts with theirs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ", \"signature\": \"unsigned\"",
                ", \"signature\": \"EuYBCkQYAiJA+/=\"",
                ", \"signature\": \"\"",
                ", \"signature\": null",
                ", \"signature\": 7",
                ""
            })
    void takesThoughtsBackWhateverTheirSignature(String signature) {
        String body = """
                {"model": "test/model", "max_tokens": 5, "messages": [{"role": "user", "content": "Hi"},
                 {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."%s}, {"type": "text", "text": "Yes?"}]},
                 {"role": "user", "content": "Go on"}]}""".formatted(signature);

        assertThat(server.post("/v1/messages", body).getStatus().value()).isEqualTo(200);

        Prompt.Chat prompt = (Prompt.Chat) server.engine().lastRequest().prompt();
        assertThat(prompt.messages().get(1).reasoning()).isEqualTo("Hm.");
    }

    @Test
    void countsTheCacheFromTheStart() {
        String body = """
                {"model": "test/model", "max_tokens": 5, "stream": true, "messages": [{"role": "user", "content": "Hi"}]}""";

        assertThat(server.post("/v1/messages", body).getResponseBody())
                .startsWith("event: message_start\n")
                .contains("\"usage\":{\"input_tokens\":7,\"cache_creation_input_tokens\":0,"
                        + "\"cache_read_input_tokens\":0,\"output_tokens\":0}");
    }
}
