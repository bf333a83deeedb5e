package dev.omlx.api.openai;

import dev.omlx.api.request.Dimensions;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.TextOrTokens;
import dev.omlx.engine.api.Prompt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /v1/embeddings}. Fields that it does not know are ignored.
 *
 * @param base64 send vectors as base64 of little-endian float32
 * @param dimensions length of the vectors; null for the model's own
 */
record EmbeddingRequest(
        @Nullable String model,
        List<Prompt> inputs,
        boolean base64,
        @Nullable Integer dimensions) {
    private static final int MAX_INPUTS = 2048;

    EmbeddingRequest {
        inputs = List.copyOf(inputs);
    }

    static EmbeddingRequest read(JsonFields body) {
        String model = body.string("model");
        List<Prompt> inputs = TextOrTokens.read(body, "input", Integer.MAX_VALUE, MAX_INPUTS);
        for (int i = 0; i < inputs.size(); i++) {
            if (inputs.get(i) instanceof Prompt.Text text && text.text().isEmpty()) {
                throw JsonFields.invalidAt(body.pathOfOneOrMore("input", i), "must not be an empty string");
            }
        }
        body.string("user"); // for its type alone
        return new EmbeddingRequest(model, inputs, isBase64(body), Dimensions.read(body));
    }

    private static boolean isBase64(JsonFields body) {
        String format = body.string("encoding_format");
        return switch (format == null ? "float" : format) {
            case "float" -> false;
            case "base64" -> true;
            default -> throw body.invalid("encoding_format", "must be float or base64");
        };
    }
}
