package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import dev.omlx.engine.api.Embedder.Embeddings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of embeddings on the wire, in the order of the inputs. */
record EmbeddingBody(String object, List<Item> data, String model, Usage usage) {
    /** @param embedding numbers, or their base64 */
    record Item(String object, int index, Object embedding) {}

    record Usage(int promptTokens, int totalTokens) {}

    static EmbeddingBody of(Embeddings embeddings, EmbeddingRequest request) {
        List<Item> items = new ArrayList<>(embeddings.vectors().size());
        for (float[] vector : embeddings.vectors()) {
            float[] cut = cut(vector, request.dimensions());
            items.add(new Item("embedding", items.size(), request.base64() ? base64(cut) : cut));
        }
        return new EmbeddingBody(
                "list", items, embeddings.model(), new Usage(embeddings.promptTokens(), embeddings.promptTokens()));
    }

    /** The first numbers, of length 1 again as a vector. */
    private static float[] cut(float[] vector, @Nullable Integer dimensions) {
        if (dimensions == null || dimensions == vector.length) {
            return vector;
        }
        if (dimensions > vector.length) {
            throw JsonFields.invalidAt(
                    "dimensions", "must be at most %d, the length of this model's vectors".formatted(vector.length));
        }
        float[] cut = Arrays.copyOf(vector, dimensions);
        double squares = 0;
        for (float number : cut) {
            squares += (double) number * number;
        }
        double length = Math.sqrt(squares);
        for (int i = 0; i < cut.length && length > 0; i++) {
            cut[i] = (float) (cut[i] / length);
        }
        return cut;
    }

    private static String base64(float[] vector) {
        ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(vector);
        return Base64.getEncoder().encodeToString(bytes.array());
    }
}
