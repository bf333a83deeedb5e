package dev.omlx.api.ollama;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What clients ask before they ask for an answer, and what they may not ask for. */
class ModelsTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    private static EntityExchangeResult<String> send(HttpMethod method, String path) {
        return server.client()
                .method(method)
                .uri(path)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private static JsonNode get(String path) {
        return JsonMapper.shared().readTree(send(HttpMethod.GET, path).getResponseBody());
    }

    @Test
    void tellsWhichApiItFollows() {
        assertThat(get("/api/version").path("version").stringValue()).matches("\\d+\\.\\d+\\.\\d+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/tags", "/api/version", "/api/ps"})
    void answersProbes(String path) {
        EntityExchangeResult<String> response = send(HttpMethod.HEAD, path);

        assertThat(response.getStatus().value()).isEqualTo(200);
        assertThat(response.getResponseBody()).isNull();
    }

    @Test
    void listsModels() {
        JsonNode models = get("/api/tags").path("models");

        assertThat(models).hasSize(2);
        JsonNode model = models.get(0);
        assertThat(model.path("digest").stringValue()).matches("[0-9a-f]{64}");
        assertThat(model.toString().replaceFirst("[0-9a-f]{64}", "DIGEST")).isEqualTo("""
                {"name":"test/model:latest","model":"test/model:latest","modified_at":"2023-11-14T22:13:20Z",\
                "size":123456789,"digest":"DIGEST","details":{"parent_model":"","format":"gguf","family":"llama",\
                "families":["llama"],"parameter_size":"","quantization_level":""}}""");
    }

    @Test
    void listsLoadedModels() {
        JsonNode model = get("/api/ps").path("models").get(0);

        assertThat(model.path("model").stringValue()).isEqualTo("test/model:latest");
        assertThat(model.path("size_vram").longValue()).isEqualTo(123_456_789);
        assertThat(model.path("context_length").intValue()).isEqualTo(8192);
        assertThat(Instant.parse(model.path("expires_at").stringValue())).isAfter(Instant.now());
    }

    @Test
    void showsAModel() {
        for (String name : List.of("test/model", "alias:latest")) {
            for (String field : List.of("model", "name")) {
                JsonNode card = JsonMapper.shared()
                        .readTree(server.post("/api/show", "{\"%s\": \"%s\"}".formatted(field, name))
                                .getResponseBody());

                assertThat(card.path("capabilities").toString()).isEqualTo("[\"completion\",\"tools\",\"thinking\"]");
                assertThat(card.path("model_info").path("general.architecture").stringValue())
                        .isEqualTo("llama");
                assertThat(card.path("model_info").path("llama.context_length").intValue())
                        .isEqualTo(8192);
            }
        }
        assertThat(server.post("/api/show", "{\"model\": \"other\"}").getResponseBody())
                .contains("\"capabilities\":[\"completion\"]");
    }

    @Test
    void showsNoModelThatIsNotThere() {
        EntityExchangeResult<String> response = server.post("/api/show", "{\"model\": \"none\"}");

        assertThat(response.getStatus().value()).isEqualTo(404);
        assertThat(response.getResponseBody()).isEqualTo("{\"error\":\"the model 'none' does not exist\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/pull",
        "POST, /api/push",
        "POST, /api/create",
        "POST, /api/copy",
        "DELETE, /api/delete",
        "POST, /api/blobs/sha256:0"
    })
    void changesNoModels(String method, String path) {
        EntityExchangeResult<String> response = send(HttpMethod.valueOf(method), path);

        assertThat(response.getStatus().value()).isEqualTo(404);
        assertThat(response.getResponseBody()).startsWith("{\"error\":\"models cannot be changed over HTTP");
    }

    @ParameterizedTest
    @CsvSource({"GET, /api/nothing, 404", "GET, /api/chat, 405", "POST, /api/tags, 405"})
    void refusesOtherRoutesInItsWords(String method, String path, int status) {
        EntityExchangeResult<String> response = send(HttpMethod.valueOf(method), path);

        assertThat(response.getStatus().value()).isEqualTo(status);
        assertThat(response.getResponseBody()).matches("\\{\"error\":\"[^\"]+\"}");
    }

    /** Until a model for it can be loaded. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "/api/embed      | {'model': 'test/model:latest', 'input': 'a', 'dimensions': 3}",
                "/api/embed      | {'model': 'test/model', 'input': ['a', 'b'], 'truncate': true}",
                "/api/embeddings | {'model': 'test/model', 'prompt': 'a'}"
            })
    void findsNoModelThatEmbeds(String path, String body) {
        EntityExchangeResult<String> response = server.post(path, body.replace('\'', '"'));

        assertThat(response.getStatus().value()).isEqualTo(404);
        assertThat(response.getResponseBody())
                .startsWith("{\"error\":\"the model 'test/model' does not exist: no model that embeds texts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "model      | /api/embed      | {'input': 'a'}",
                "input      | /api/embed      | {'model': 'm'}",
                "input      | /api/embed      | {'model': 'm', 'input': ['a', '']}",
                "input[1]   | /api/embed      | {'model': 'm', 'input': ['a', 1]}",
                "dimensions | /api/embed      | {'model': 'm', 'input': 'a', 'dimensions': 0}",
                "truncate   | /api/embed      | {'model': 'm', 'input': 'a', 'truncate': 'yes'}",
                "options    | /api/embed      | {'model': 'm', 'input': 'a', 'options': []}",
                "prompt     | /api/embeddings | {'model': 'm', 'prompt': 3}",
                "model      | /api/show       | {}",
                "name       | /api/show       | {'model': 'm', 'name': 3}"
            })
    void namesTheField(String field, String path, String body) {
        EntityExchangeResult<String> response = server.post(path, body.replace('\'', '"'));

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody()).startsWith("{\"error\":\"'" + field + "' ");
    }
}
