package dev.omlx.api.rerank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.api.json.Json;
import dev.omlx.api.rerank.RerankRequest.Shape;
import dev.omlx.engine.api.Reranker.Scores;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

class RerankTests {
    private static final Scores SCORES = new Scores("m", List.of(0.1f, 0.9f, 0.5f), 12);

    @RegisterExtension
    static final TestServer server = TestServer.with();

    /** Until a model for it can be loaded. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/rerank", "/v2/rerank", "/rerank"})
    void findsNoModelForValidRequests(String path) {
        for (String fields : List.of(
                "'model': 'm', 'query': 'q', 'documents': ['a', {'text': 'b'}], 'top_n': 9, 'return_documents': true",
                "'query': 'q', 'texts': ['a'], 'raw_scores': true, 'return_text': true")) {
            EntityExchangeResult<String> response = post(path, fields);

            assertThat(response.getStatus().value()).isEqualTo(404);
            assertThat(response.getResponseBody()).contains("\"code\":\"model_not_found\"");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "query        | 'documents': ['a']",
                "query        | 'query': '', 'documents': ['a']",
                "query        | 'query': ['q'], 'documents': ['a']",
                "truncate     | 'query': 'q', 'texts': ['a'], 'truncate': 'yes'",
                "raw_scores   | 'query': 'q', 'texts': ['a'], 'raw_scores': 1",
                "truncation_direction | 'query': 'q', 'texts': ['a'], 'truncation_direction': 'up'",
                "documents    | 'query': 'q'",
                "documents    | 'query': 'q', 'documents': []",
                "documents    | 'query': 'q', 'documents': 'a'",
                "documents[1] | 'query': 'q', 'documents': ['a', 3]",
                "documents[0] | 'query': 'q', 'documents': ['']",
                "documents[0] | 'query': 'q', 'documents': [{'title': 'a'}]",
                "texts[0]     | 'query': 'q', 'texts': [null]",
                "texts        | 'query': 'q', 'texts': ['a'], 'documents': ['a']",
                "top_n        | 'query': 'q', 'documents': ['a'], 'top_n': 0",
                "return_documents | 'query': 'q', 'documents': ['a'], 'return_documents': 'yes'"
            })
    void namesTheField(String field, String fields) {
        EntityExchangeResult<String> response = post("/v1/rerank", fields);

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody()).contains("\"param\":\"" + field + "\"");
    }

    @Test
    void writesTheBestFirstAndNoMoreThanAskedFor() {
        assertThat(Json.write(RerankBody.of("id", SCORES, request(2, false, Shape.COHERE))))
                .isEqualTo("""
                {"id":"id","model":"m","results":[{"index":1,"relevance_score":0.9},\
                {"index":2,"relevance_score":0.5}],"usage":{"prompt_tokens":12,"total_tokens":12}}""");
        assertThat(Json.write(RerankBody.of("id", SCORES, request(1, true, Shape.COHERE))))
                .contains("[{\"index\":1,\"relevance_score\":0.9,\"document\":{\"text\":\"b\"}}]");
    }

    @Test
    void writesTeisShapeForTeisClients() {
        assertThat(Json.write(RerankBody.of("id", SCORES, request(3, false, Shape.TEI))))
                .isEqualTo("[{\"index\":1,\"score\":0.9},{\"index\":2,\"score\":0.5},{\"index\":0,\"score\":0.1}]");
        assertThat(Json.write(RerankBody.of("id", SCORES, request(1, true, Shape.TEI))))
                .isEqualTo("[{\"index\":1,\"score\":0.9,\"text\":\"b\"}]");
    }

    private static RerankRequest request(int top, boolean texts, Shape shape) {
        return new RerankRequest(null, "q", List.of("a", "b", "c"), top, texts, shape);
    }

    private static EntityExchangeResult<String> post(String path, String fields) {
        return server.post(path, ("{" + fields + "}").replace('\'', '"'));
    }
}
