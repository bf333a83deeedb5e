package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.api.error.ApiException;
import dev.omlx.api.json.Json;
import dev.omlx.engine.api.Embedder.Embeddings;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.TestServer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

class EmbeddingsTests {
    private static final Embeddings TWO =
            new Embeddings("m", List.of(new float[] {3, 4, 12}, new float[] {1, 0, 0}), 9);

    @RegisterExtension
    static final TestServer server = TestServer.with();

    /** Until a model for it can be loaded. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'input': 'a'",
                "'input': ['a', 'b'], 'encoding_format': 'base64', 'dimensions': 5, 'user': 'u'",
                "'input': [1, 2]",
                "'input': [[1], [2, 3]], 'encoding_format': null"
            })
    void findsNoModelForValidRequests(String fields) {
        EntityExchangeResult<String> response = post("'model': 'test/model', " + fields);

        assertThat(response.getStatus().value()).isEqualTo(404);
        assertThat(response.getResponseBody()).contains("\"code\":\"model_not_found\"", "\"param\":\"model\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "input    | 'model': 'm'",
                "input    | 'input': ''",
                "input    | 'input': []",
                "input    | 'input': {}",
                "input[1] | 'input': ['a', '']",
                "input[1] | 'input': ['a', 1]",
                "input[0] | 'input': [-1]",
                "input[0] | 'input': [[]]",
                "encoding_format | 'input': 'a', 'encoding_format': 'int8'",
                "dimensions | 'input': 'a', 'dimensions': 0",
                "dimensions | 'input': 'a', 'dimensions': 'x'",
                "user     | 'input': 'a', 'user': 3",
                "model    | 'input': 'a', 'model': 3"
            })
    void namesTheField(String field, String fields) {
        EntityExchangeResult<String> response = post(fields);

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody()).contains("\"param\":\"" + field + "\"");
    }

    @Test
    void takesNoMoreThan2048Inputs() {
        assertThat(post("'input': [" + "'a',".repeat(2048) + "'a']").getStatus().value())
                .isEqualTo(400);
    }

    @Test
    void writesNumbersInTheOrderOfTheInputs() {
        assertThat(Json.write(EmbeddingBody.of(TWO, request(false, null)))).isEqualTo("""
                {"object":"list","data":[{"object":"embedding","index":0,"embedding":[3.0,4.0,12.0]},\
                {"object":"embedding","index":1,"embedding":[1.0,0.0,0.0]}],"model":"m",\
                "usage":{"prompt_tokens":9,"total_tokens":9}}""");
    }

    @Test
    void writesBase64OfLittleEndianFloats() {
        String base64 = (String)
                EmbeddingBody.of(TWO, request(true, null)).data().getFirst().embedding();

        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(new float[] {bytes.getFloat(), bytes.getFloat(), bytes.getFloat()})
                .containsExactly(3, 4, 12);
    }

    @Test
    void cutVectorsHaveLengthOneAgain() {
        assertThat((float[]) EmbeddingBody.of(TWO, request(false, 2))
                        .data()
                        .getFirst()
                        .embedding())
                .containsExactly(0.6f, 0.8f);
        assertThatThrownBy(() -> EmbeddingBody.of(TWO, request(false, 4)))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("'dimensions' must be at most 3");
    }

    private static EmbeddingRequest request(boolean base64, @Nullable Integer dimensions) {
        return new EmbeddingRequest(null, List.of(new Prompt.Text("a"), new Prompt.Text("b")), base64, dimensions);
    }

    private static EntityExchangeResult<String> post(String fields) {
        return server.post("/v1/embeddings", ("{" + fields + "}").replace('\'', '"'));
    }
}
