package dev.omlx.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every error, wherever it comes from, has the shape and the headers that clients know. */
class ErrorTests {
    private static final String CHAT = "/v1/chat/completions";
    private static final String VALID = "{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}";

    @RegisterExtension
    static final TestServer server = TestServer.with("omlx.server.max-body-size=10KB");

    @ParameterizedTest
    @CsvSource({
        "GET,    /nothing/here,        404, not_found",
        "GET,    /v1,                  404, not_found",
        "POST,   /v1/nothing,          404, not_found",
        "GET,    /favicon.ico,         404, not_found",
        "GET,    /actuator/beans,      404, not_found",
        "GET,    /v1/models/none,      404, model_not_found",
        "GET,    /v1/chat/completions, 405, method_not_allowed",
        "DELETE, /v1/chat/completions, 405, method_not_allowed",
        "POST,   /v1/models,           405, method_not_allowed",
        "POST,   /health,              405, method_not_allowed",
    })
    void refusesRoutesThatAreNotThere(String method, String path, int status, String code) {
        EntityExchangeResult<String> response = server.client()
                .method(HttpMethod.valueOf(method))
                .uri(path)
                .exchange()
                .expectBody(String.class)
                .returnResult();

        assertError(response, status, code);
    }

    /** A client's own text comes back to it, though not by the kilobyte. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "\ud83d\ude00", "x\ud83d\ude00", "\u00e9"})
    void quotesLongTextsInPart(String piece) {
        String name = piece.repeat(8_000 / piece.length() / 2);
        EntityExchangeResult<String> response = server.client()
                .post()
                .uri(CHAT)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{\"model\": \"" + name + "\", \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}")
                .exchange()
                .expectBody(String.class)
                .returnResult();

        assertError(response, 404, "model_not_found");
        assertThat(response.getResponseBody())
                .hasSizeLessThan(2_500)
                .contains(piece.repeat(100), "\u2026")
                .doesNotContain("?", "\ufffd");
    }

    @Test
    void namesTheMethodsThatAreAllowed() {
        server.client()
                .get()
                .uri(CHAT)
                .exchange()
                .expectHeader()
                .valueEquals(HttpHeaders.ALLOW, "POST")
                .expectBody(String.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{]",
                "nonsense",
                "[]",
                "null",
                "3",
                "\"text\"",
                "{\"messages\": [}",
                "{} {}",
                "{\"a\": NaN}",
                "{'a': 1}",
                "{\"a\": 01}",
                "{\"a\": \"\\x\"}",
                "{\"\\ud800\": 1}",
                "\u0000",
                "{\"a\": \"\n\"}"
            })
    void refusesWhatIsNoJsonObject(String body) {
        assertError(server.post(CHAT, body), 400, null);
    }

    @Test
    void refusesInvalidUtf8() {
        for (byte[] broken : List.of(bytes(0xff), bytes(0xc0, 0x80), bytes(0xed, 0xa0, 0x80), bytes(0xe2, 0x82))) {
            String body = "{\"messages\": [{\"role\": \"user\", \"content\": \"?\"}]}";
            byte[] raw = body.getBytes(StandardCharsets.ISO_8859_1);
            int at = body.indexOf('?');
            byte[] whole = new byte[raw.length - 1 + broken.length];
            System.arraycopy(raw, 0, whole, 0, at);
            System.arraycopy(broken, 0, whole, at, broken.length);
            System.arraycopy(raw, at + 1, whole, at + broken.length, raw.length - at - 1);

            assertError(post(MediaType.APPLICATION_JSON_VALUE, whole), 400, null);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 1000, 4000})
    void refusesNestingThatIsTooDeep(int depth) {
        assertError(server.post(CHAT, "{\"a\": " + "[".repeat(depth) + "]".repeat(depth) + "}"), 400, null);
        assertError(server.post(CHAT, "{\"a\": ".repeat(depth / 8) + "[".repeat(depth)), 400, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "multipart/form-data", "application/json;charset=utf-16"})
    void refusesOtherMediaTypes(String type) {
        assertError(post(type, VALID.getBytes(StandardCharsets.UTF_8)), 415, "unsupported_media_type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json;charset=utf-8",
                "application/vnd.x+json",
                "application/x-www-form-urlencoded"
            })
    void takesJsonByAnyOfItsNames(String type) {
        assertThat(post(type, VALID.getBytes(StandardCharsets.UTF_8))
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void refusesCompressedBodies() {
        EntityExchangeResult<String> response = server.client()
                .post()
                .uri(CHAT)
                .contentType(MediaType.APPLICATION_JSON)
                .header(HttpHeaders.CONTENT_ENCODING, "gzip")
                .bodyValue(VALID)
                .exchange()
                .expectBody(String.class)
                .returnResult();

        assertError(response, 415, "unsupported_media_type");
    }

    @Test
    void refusesBodiesThatAreTooLarge() {
        assertThat(server.post(CHAT, VALID + " ".repeat(10 * 1024 - VALID.length()))
                        .getStatus()
                        .value())
                .isEqualTo(200);
        assertError(server.post(CHAT, VALID + " ".repeat(10 * 1024)), 413, "request_too_large");
    }

    @Test
    void tellsEachOfTheEnginesRefusalsApart() {
        assertError(failedBy(new EngineException.InvalidRequest("n", "only one answer")), 400, null);
        assertError(
                failedBy(new EngineException.ContextLengthExceeded("messages", 9, 8)), 400, "context_length_exceeded");
        assertError(failedBy(new EngineException.ModelNotFound("x")), 404, "model_not_found");
        assertError(failedBy(new EngineException.Failed("broken", null)), 500, null);
        assertError(failedBy(new AssertionError("Secret")), 500, null);
        assertError(failedBy(new NullPointerException("dev.omlx.Secret")), 500, null);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1000, 1", "1001, 2", "59999, 60"})
    void saysInWholeSecondsWhenToComeBack(long millis, String seconds) {
        EntityExchangeResult<String> response =
                failedBy(new EngineException.Overloaded("the queue is full", Duration.ofMillis(millis)));

        assertError(response, 429, "slow_down");
        assertThat(response.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                .isEqualTo(seconds);
    }

    @Test
    void asksToComeBackWhenMemoryIsShort() {
        EntityExchangeResult<String> response =
                failedBy(new EngineException.OutOfMemory("300 MiB are needed", Duration.ofSeconds(2)));

        assertError(response, 503, "server_is_overloaded");
        assertThat(response.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                .isEqualTo("2");
    }

    @Test
    void asksToComeBackWhileThereIsNoModel() {
        server.engine().models(List.of());
        EntityExchangeResult<String> early = server.post(CHAT, VALID);
        server.engine().reset();
        EntityExchangeResult<String> late = failedBy(new EngineException.Unavailable("the server is stopping"));

        for (EntityExchangeResult<String> response : List.of(early, late)) {
            assertError(response, 503, "server_is_overloaded");
            assertThat(response.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                    .matches("[1-9]\\d*");
        }
    }

    @Test
    void ignoresWhatTheClientAccepts() {
        server.client()
                .get()
                .uri("/nothing")
                .accept(MediaType.TEXT_HTML)
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectHeader()
                .contentType(MediaType.APPLICATION_JSON)
                .expectBody(String.class);
    }

    private static EntityExchangeResult<String> failedBy(Throwable failure) {
        server.engine().play(Script.empty().fail(failure));
        return server.post(CHAT, VALID);
    }

    private static EntityExchangeResult<String> post(String type, byte[] body) {
        return server.client()
                .post()
                .uri(CHAT)
                .header(HttpHeaders.CONTENT_TYPE, type)
                .bodyValue(body)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static void assertError(EntityExchangeResult<String> response, int status, @Nullable String code) {
        String body = String.valueOf(response.getResponseBody());
        assertThat(response.getStatus().value()).as(body).isEqualTo(status);
        assertThat(response.getResponseHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
        assertThat(response.getResponseHeaders().getFirst(RequestId.HEADER)).isNotBlank();
        assertThat(body).doesNotContain("Secret", "Exception", "springframework", "tools.jackson", "\tat ");
        JsonNode root = JsonMapper.shared().readTree(body);
        assertThat(root.propertyNames()).containsExactly("error");
        JsonNode error = root.get("error");
        assertThat(error.propertyNames()).containsExactly("message", "type", "param", "code");
        assertThat(error.get("message").stringValue()).isNotBlank();
        assertThat(error.get("code").asStringOpt().orElse(null)).isEqualTo(code);
    }
}
