package dev.omlx.api.openai;

import dev.omlx.api.request.Dimensions;
import dev.omlx.engine.api.Embedder.Embeddings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A list of embeddings on the wire, in the order of the inputs. */
record EmbeddingBody(String object, List<Item> data, String model, Usage usage) {
    /** @param embedding numbers, or their base64 */
    record Item(String object, int index, Object embedding) {}

    record Usage(int promptTokens, int totalTokens) {}

    static EmbeddingBody of(Embeddings embeddings, EmbeddingRequest request) {
        List<Item> items = new ArrayList<>(embeddings.vectors().size());
        for (float[] vector : embeddings.vectors()) {
            float[] cut = Dimensions.cut(vector, request.dimensions());
            items.add(new Item("embedding", items.size(), request.base64() ? base64(cut) : cut));
        }
        return new EmbeddingBody(
                "list", items, embeddings.model(), new Usage(embeddings.promptTokens(), embeddings.promptTokens()));
    }

    private static String base64(float[] vector) {
        ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(vector);
        return Base64.getEncoder().encodeToString(bytes.array());
    }
}
