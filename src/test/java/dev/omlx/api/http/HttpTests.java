package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;

class HttpTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void showsThatItIsThere() {
        server.client()
                .head()
                .uri("/")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .isEmpty();
    }

    /** Clients of Ollama compare the whole text; people are told the truth. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/*                                                             | 'Ollama is running'",
                "application/json                                                | 'Ollama is running'",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | 'oMLX is running\n'"
            })
    void saysWhatItIs(String accepted, String text) {
        server.client()
                .get()
                .uri("/")
                .header(HttpHeaders.ACCEPT, accepted)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1//models", "//v1/models", "/v1/models/", "/v1///models//"})
    void takesDoubledSlashesForOne(String path) {
        get(path).expectStatus().isOk().expectBody().jsonPath("$.object").isEqualTo("list");
    }

    @Test
    void namesEveryExchange() {
        String one = requestId(get("/v1/models"));
        String other = requestId(get("/nothing"));

        assertThat(one).matches("req_[0-9a-f]{32}").isNotEqualTo(other);
        assertThat(other).matches("req_[0-9a-f]{32}");
    }

    @ParameterizedTest
    @CsvSource({
        "my-id.1:2/3, true",
        "550e8400-e29b-41d4-a716-446655440000, true",
        "'with space', false",
        "'<script>', false",
        "'', false"
    })
    void echoesSaneNames(String id, boolean sane) {
        ResponseSpec response =
                server.client().get().uri("/nothing").header("X-Request-Id", id).exchange();

        if (sane) {
            assertThat(requestId(response)).isEqualTo(id);
        } else {
            assertThat(requestId(response)).startsWith("req_");
        }
    }

    @Test
    void doesNotEchoEndlessNames() {
        ResponseSpec response = server.client()
                .get()
                .uri("/")
                .header("x-request-id", "a".repeat(129))
                .exchange();

        assertThat(requestId(response)).startsWith("req_");
    }

    private static ResponseSpec get(String path) {
        return server.client().get().uri(URI.create(server.url() + path)).exchange();
    }

    private static String requestId(ResponseSpec response) {
        HttpHeaders headers = response.expectBody(String.class).returnResult().getResponseHeaders();
        assertThat(headers.get("x-request-id")).hasSize(1);
        return String.valueOf(headers.getFirst("x-request-id"));
    }
}
