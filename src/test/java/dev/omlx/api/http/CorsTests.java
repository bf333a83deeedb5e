package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;

class CorsTests {
    private static final String ORIGIN = "https://chat.example.org";

    @RegisterExtension
    static final TestServer open = TestServer.with();

    @RegisterExtension
    static final TestServer picky =
            TestServer.with("omlx.server.cors-origins=https://*.example.org,http://localhost:*");

    @RegisterExtension
    static final TestServer closed = TestServer.with("omlx.server.cors-origins=");

    @Test
    void letsPagesSendTheHeadersOfTheirLibraries() {
        HttpHeaders headers = preflight(open, ORIGIN)
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseHeaders();

        assertThat(headers.getAccessControlAllowOrigin()).isEqualTo(ORIGIN);
        assertThat(headers.getAccessControlAllowHeaders())
                .containsExactlyInAnyOrder("authorization", "content-type", "x-stainless-os", "anthropic-version");
        assertThat(headers.getAccessControlAllowMethods())
                .extracting(Object::toString)
                .contains("POST");
        assertThat(headers.getFirst("x-request-id")).isNotBlank();
    }

    @Test
    void letsPagesReadResponsesAndErrors() {
        for (String path : new String[] {"/v1/models", "/nothing", "/v1/chat/completions"}) {
            open.client()
                    .get()
                    .uri(path)
                    .header(HttpHeaders.ORIGIN, ORIGIN)
                    .exchange()
                    .expectHeader()
                    .valueEquals(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, ORIGIN)
                    .expectHeader()
                    .value(
                            HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS,
                            value -> assertThat(value).contains("x-request-id", ", request-id", "Retry-After"))
                    .expectBody(String.class);
        }
    }

    @Test
    void letsOnlyTheConfiguredOriginsCall() {
        preflight(picky, ORIGIN).expectStatus().isOk().expectBody().isEmpty();
        preflight(picky, "http://localhost:3000")
                .expectStatus()
                .isOk()
                .expectBody()
                .isEmpty();
        for (TestServer server : new TestServer[] {picky, closed}) {
            preflight(server, "https://evil.example.com")
                    .expectStatus()
                    .isForbidden()
                    .expectHeader()
                    .doesNotExist(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)
                    .expectBody()
                    .jsonPath("$.error.code")
                    .isEqualTo("forbidden");
            server.client()
                    .get()
                    .uri("/v1/models")
                    .header(HttpHeaders.ORIGIN, "https://evil.example.com")
                    .exchange()
                    .expectStatus()
                    .isForbidden()
                    .expectBody(String.class);
        }
    }

    @Test
    void neverRefusesThePagesOfTheServerItself() {
        closed.client()
                .get()
                .uri("/v1/models")
                .header(HttpHeaders.ORIGIN, closed.url())
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class);
    }

    /** Browsers send such a request without asking for leave, and keep the answer from the page; it must not run at all. */
    @ParameterizedTest
    @CsvSource({
        "https://evil.example.com, application/x-www-form-urlencoded",
        "null, application/x-www-form-urlencoded",
        "null, application/json",
        "https://evil.example.com, text/plain"
    })
    void runsNothingForOtherPages(String origin, String type) {
        for (String path : new String[] {"/v1/chat/completions", "/v1/messages", "/api/chat", "/api/generate"}) {
            for (TestServer server : new TestServer[] {picky, closed}) {
                server.client()
                        .post()
                        .uri(path)
                        .header(HttpHeaders.ORIGIN, origin)
                        .header(HttpHeaders.CONTENT_TYPE, type)
                        .bodyValue("{\"model\": \"test/model\", \"max_tokens\": 5, \"prompt\": \"Hi\","
                                + " \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}")
                        .exchange()
                        .expectStatus()
                        .isForbidden()
                        .expectBody(String.class);
                assertThat(server.engine().requests()).isEmpty();
            }
        }
    }

    private static ResponseSpec preflight(TestServer server, String origin) {
        return server.client()
                .options()
                .uri("/v1/chat/completions")
                .header(HttpHeaders.ORIGIN, origin)
                .header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD, "POST")
                .header(
                        HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS,
                        "authorization, content-type, x-stainless-os, anthropic-version")
                .exchange();
    }
}
