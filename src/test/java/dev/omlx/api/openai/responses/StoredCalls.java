package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;

/** Requests about responses that are kept. */
final class StoredCalls {
    private StoredCalls() {}

    /** The response, whole or as the stream's last event has it. */
    static JsonNode respond(TestServer server, String body, boolean stream) {
        return stream
                ? ResponseTestBody.stream(server, body).getLast().get("response")
                : ResponseTestBody.whole(server, body);
    }

    /** The field that goes on from a response. */
    static String previous(JsonNode response) {
        return ", 'previous_response_id': " + response.get("id");
    }

    /** The response's output as items of an input. */
    static String items(JsonNode response) {
        return response.get("output").valueStream().map(JsonNode::toString).collect(Collectors.joining(","));
    }

    /** What the model was shown last. */
    static List<ChatMessage> messages(TestServer server) {
        return ((Prompt.Chat) server.engine().lastRequest().prompt()).messages();
    }

    static String path(JsonNode response) {
        return ResponseTestBody.PATH + "/" + response.get("id").stringValue();
    }

    static EntityExchangeResult<String> get(TestServer from, String path) {
        return exchange(from, HttpMethod.GET, path, "");
    }

    static EntityExchangeResult<String> exchange(TestServer with, HttpMethod method, String path, String key) {
        if (method.equals(HttpMethod.POST)) {
            return post(with, ResponseTestBody.with(""), key);
        }
        return with.client()
                .method(method)
                .uri(path)
                .headers(headers -> headers.setBearerAuth(key))
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    static EntityExchangeResult<String> post(TestServer to, String body, String key) {
        return to.client()
                .post()
                .uri(ResponseTestBody.PATH)
                .headers(headers -> headers.setBearerAuth(key))
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    static void assertNotFound(EntityExchangeResult<String> response) {
        assertThat(response.getStatus().value()).isEqualTo(404);
        assertThat(response.getResponseBody())
                .startsWith("{\"error\":{\"message\":\"there is no response 'resp_")
                .endsWith("\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"not_found\"}}");
    }
}
