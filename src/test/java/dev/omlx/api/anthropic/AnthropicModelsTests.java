package dev.omlx.api.anthropic;

import dev.omlx.testsupport.TestServer;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;

class AnthropicModelsTests {
    private static final String MODEL = """
            {"type": "model", "id": "test/model", "display_name": "test/model", "created_at": "2023-11-14T22:13:20Z",
             "lifecycle": "active", "max_input_tokens": 8192, "max_tokens": 8192}""";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @ParameterizedTest
    @ValueSource(strings = {"/v1/models", "/v1//models", "/v1/models/"})
    void listsModels(String path) {
        get(path)
                .expectStatus()
                .isOk()
                .expectHeader()
                .exists("request-id")
                .expectBody()
                .json("""
                {"data": [%s, {"type": "model", "id": "other", "display_name": "other",
                 "created_at": "2020-09-13T12:26:40Z", "lifecycle": "active",
                 "max_input_tokens": 4096, "max_tokens": 4096}],
                 "has_more": false, "first_id": "test/model", "last_id": "other"}""".formatted(MODEL), JsonCompareMode.STRICT);
    }

    @ParameterizedTest
    @CsvSource({
        "limit=1, test/model, true",
        "limit=1&after_id=test/model, other, false",
        "before_id=other, test/model, false",
        "limit=1000, test/model, false"
    })
    void listsThemInPages(String query, String first, boolean more) {
        get("/v1/models?" + query)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.first_id")
                .isEqualTo(first)
                .jsonPath("$.has_more")
                .isEqualTo(more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=1001", "limit=x"})
    void refusesOddPages(String query) {
        get("/v1/models?" + query)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.error.type")
                .isEqualTo("invalid_request_error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"test/model", "test%2Fmodel", "alias"})
    void findsAModelByIdOrAlias(String id) {
        get("/v1/models/" + id).expectStatus().isOk().expectBody().json(MODEL, JsonCompareMode.STRICT);
    }

    @Test
    void doesNotFindOthersAndSaysSoInItsOwnShape() {
        get("/v1/models/none")
                .expectStatus()
                .isNotFound()
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("error")
                .jsonPath("$.error.type")
                .isEqualTo("not_found_error")
                .jsonPath("$.request_id")
                .isNotEmpty();
    }

    private static ResponseSpec get(String path) {
        return server.client()
                .get()
                .uri(URI.create(server.url() + path))
                .header("anthropic-version", "2023-06-01")
                .exchange();
    }
}
