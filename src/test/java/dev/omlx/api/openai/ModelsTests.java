package dev.omlx.api.openai;

import dev.omlx.testsupport.TestServer;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.reactive.server.WebTestClient.BodyContentSpec;

class ModelsTests {
    private static final String MODEL = """
            {"id": "test/model", "object": "model", "created": 1700000000, "owned_by": "omlx", "max_model_len": 8192}""";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void listsModelsTheDefaultOneFirst() {
        get("/v1/models").json("""
                {"object": "list", "data": [%s,
                 {"id": "other", "object": "model", "created": 1600000000, "owned_by": "omlx", "max_model_len": 4096}]}
                """.formatted(MODEL), JsonCompareMode.STRICT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"test/model", "test%2Fmodel", "test%2fmodel", "alias", "/test/model"})
    void findsAModelByIdOrAlias(String id) {
        get("/v1/models/" + id).json(MODEL, JsonCompareMode.STRICT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "test", "model", "test/model/x", "%3Cb%3E", "a%20b", "..", "%00"})
    void doesNotFindOthers(String id) {
        server.client()
                .get()
                .uri(URI.create(server.url() + "/v1/models/" + id))
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectBody()
                .jsonPath("$.error.type")
                .isEqualTo("invalid_request_error");
    }

    private static BodyContentSpec get(String path) {
        return server.client()
                .get()
                .uri(URI.create(server.url() + path))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
    }
}
