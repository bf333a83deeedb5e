package dev.omlx.api.request;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The field {@code dimensions} of a request for embeddings: how long their vectors are to be. */
public final class Dimensions {
    private static final String FIELD = "dimensions";

    private Dimensions() {}

    /** What the field says; null for the model's own length. */
    public static @Nullable Integer read(JsonFields body) {
        return body.integer(FIELD, 1, Integer.MAX_VALUE);
    }

    /**
     * The first numbers of a vector, of length 1 again as a vector.
     *
     * @param dimensions how many; null for all
     * @throws dev.omlx.api.error.ApiException if there are not as many
     */
    public static float[] cut(float[] vector, @Nullable Integer dimensions) {
        if (dimensions == null || dimensions == vector.length) {
            return vector;
        }
        if (dimensions > vector.length) {
            throw JsonFields.invalidAt(
                    FIELD, "must be at most %d, the length of this model's vectors".formatted(vector.length));
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
}
