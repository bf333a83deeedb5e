package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.net.URI;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.FluxExchangeResult;
import reactor.core.Disposable;

class AuthTests {
    private static final String CHAT = "{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}";

    /** Of "sk-hashed". */
    private static final String HASH = "c291001835042e213221b2f9fca79c9c91d08813d599b717bc695a268edb2ea6";

    @RegisterExtension
    static final TestServer server = TestServer.with("omlx.auth.api-keys=sk-plain, sha256:" + HASH);

    @RegisterExtension
    static final TestServer limited = TestServer.with(
            "omlx.auth.api-keys=one,other,third", "omlx.auth.requests-per-minute=4", "omlx.auth.concurrent-requests=1");

    @RegisterExtension
    static final TestServer open = TestServer.with();

    @ParameterizedTest
    @CsvSource({
        "Authorization, Bearer sk-plain",
        "Authorization, bearer  sk-plain",
        "Authorization, Bearer sk-hashed",
        "x-api-key, sk-plain",
        "X-Api-Key, sk-hashed"
    })
    void servesWhoShowsAKey(String header, String value) {
        assertThat(get(server, "/v1/models", headers -> headers.set(header, value))
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void oneValidKeyOfTwoIsEnough() {
        assertThat(get(server, "/v1/models", headers -> {
                            headers.setBearerAuth("wrong");
                            headers.set("x-api-key", "sk-plain");
                        })
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "Authorization, Bearer wrong",
        "Authorization, Bearer",
        "Authorization, 'Bearer '",
        "Authorization, sk-plain",
        "Authorization, Basic c2stcGxhaW4=",
        "x-api-key, wrong",
        "x-api-key, SK-PLAIN",
        "x-none, x"
    })
    void refusesEverybodyElse(String header, String value) {
        EntityExchangeResult<String> response = get(server, "/v1/models", headers -> headers.set(header, value));

        assertThat(response.getStatus().value()).isEqualTo(401);
        assertThat(response.getResponseHeaders().getFirst(HttpHeaders.WWW_AUTHENTICATE))
                .isEqualTo("Bearer");
        assertThat(response.getResponseBody())
                .contains("\"type\":\"invalid_request_error\"", "\"code\":\"invalid_api_key\"")
                .doesNotContain("wrong");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/health", "/actuator/health/liveness", "/actuator/health/readiness"})
    void leavesOpenWhetherItIsThere(String path) {
        assertThat(get(server, path, headers -> {}).getStatus().value()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/models",
                "/v1//models",
                "//v1/models",
                "/actuator",
                "/actuator/health",
                "/actuator/scheduler",
                "/health/../v1/models",
                "/health;x/../v1/models",
                "/nothing"
            })
    void asksForAKeyEverywhereElse(String path) {
        assertThat(get(server, path, headers -> {}).getStatus().value()).isIn(401, 404);
        assertThat(get(server, path, headers -> {}).getResponseBody()).doesNotContain("test/model");
    }

    @Test
    void refusesBeforeItReadsABody() {
        assertThat(server.post("/v1/chat/completions", CHAT).getStatus().value())
                .isEqualTo(401);
        assertThat(server.engine().requests()).isEmpty();
    }

    @Test
    void letsPagesAskWhatTheyMaySendAndReadWhyTheyMayNot() {
        server.client()
                .options()
                .uri("/v1/chat/completions")
                .header(HttpHeaders.ORIGIN, "https://chat.example.org")
                .header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD, "POST")
                .header(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS, "authorization, x-stainless-os, x-api-key")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .isEmpty();
        EntityExchangeResult<String> refused =
                get(server, "/v1/models", headers -> headers.setOrigin("https://chat.example.org"));

        assertThat(refused.getStatus().value()).isEqualTo(401);
        assertThat(refused.getResponseHeaders().getAccessControlAllowOrigin()).isEqualTo("https://chat.example.org");
    }

    @Test
    void asksNobodyWithoutKeys() {
        assertThat(get(open, "/v1/models", headers -> headers.setBearerAuth("anything"))
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void refusesMoreThanAKeyMayAskFor() {
        for (int i = 0; i < 4; i++) {
            assertThat(get(limited, "/v1/models", headers -> headers.setBearerAuth("one"))
                            .getStatus()
                            .value())
                    .isEqualTo(200);
        }
        EntityExchangeResult<String> refused = get(limited, "/v1/models", headers -> headers.setBearerAuth("one"));

        assertThat(refused.getStatus().value()).isEqualTo(429);
        assertThat(Integer.parseInt(String.valueOf(refused.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER))))
                .isBetween(1, 15);
        assertThat(refused.getResponseBody()).contains("\"code\":\"rate_limit_exceeded\"", "4 requests a minute");
        assertThat(get(limited, "/v1/models", headers -> headers.setBearerAuth("other"))
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void aRequestUnderWayCountsUntilItEndsOrItsClientGoes() {
        limited.engine().play(Script.empty().start().hang());
        FluxExchangeResult<String> hanging = limited.client()
                .post()
                .uri("/v1/chat/completions")
                .contentType(MediaType.APPLICATION_JSON)
                .header("x-api-key", "third")
                .bodyValue(CHAT.replaceFirst("}$", ", \"stream\": true}"))
                .exchange()
                .returnResult(String.class);
        Disposable client = hanging.getResponseBody().subscribe();
        EntityExchangeResult<String> refused = get(limited, "/v1/models", headers -> headers.set("x-api-key", "third"));

        assertThat(refused.getStatus().value()).isEqualTo(429);
        assertThat(refused.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                .isEqualTo("1");
        client.dispose();
        await().untilAsserted(() -> assertThat(limited.engine().running()).isZero());
        assertThat(get(limited, "/v1/models", headers -> headers.set("x-api-key", "third"))
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    private static EntityExchangeResult<String> get(TestServer from, String path, Consumer<HttpHeaders> headers) {
        return from.client()
                .get()
                .uri(URI.create(from.url() + path))
                .headers(headers)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }
}
