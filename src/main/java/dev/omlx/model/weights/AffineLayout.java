package dev.omlx.model.weights;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a quantised tensor looks in MLX's affine form: a uint32 tensor of packed elements, the first in the lowest bits,
 * and per group of neighbours in a row a scale and a bias, so that an element q stands for {@code scale * q + bias}.
 *
 * @param bits of one packed element, 4 or 8
 * @param groupSize elements that share a scale and a bias
 * @param weightShape of the packed tensor, in 32-bit words
 * @param scaleShape of the scales and of the biases
 * @param scaleType of the scales and biases, F32 or F16; in F16 a bias beyond 65504 becomes infinite
 */
public record AffineLayout(
        int bits, int groupSize, List<Integer> weightShape, List<Integer> scaleShape, StoredType scaleType) {
    public AffineLayout {
        weightShape = List.copyOf(weightShape);
        scaleShape = List.copyOf(scaleShape);
        if (scaleType != StoredType.F32 && scaleType != StoredType.F16) {
            throw new IllegalArgumentException("scales are F32 or F16, not " + scaleType);
        }
    }

    /** The affine form of a tensor; empty where its type has none and it must be dequantised. */
    public static Optional<AffineLayout> of(TensorEntry entry, StoredType scaleType) {
        return switch (entry.type()) {
            case Q4_0, Q4_1 -> Optional.of(of(entry, scaleType, 4));
            case Q8_0 -> Optional.of(of(entry, scaleType, 8));
            default -> Optional.empty();
        };
    }

    private static AffineLayout of(TensorEntry entry, StoredType scaleType, int bits) {
        int group = entry.type().blockSize();
        return new AffineLayout(
                bits,
                group,
                withRow(entry.shape(), entry.rowLength() / 32 * bits),
                withRow(entry.shape(), entry.rowLength() / group),
                scaleType);
    }

    private static List<Integer> withRow(List<Integer> shape, int rowLength) {
        List<Integer> changed = new ArrayList<>(shape);
        changed.set(shape.size() - 1, rowLength);
        return changed;
    }

    /** Bytes of the packed tensor. */
    public long weightBytes() {
        return product(weightShape) * Integer.BYTES;
    }

    /** Bytes of the scales, and of the biases. */
    public long scaleBytes() {
        return product(scaleShape) * scaleType.blockBytes();
    }

    private static long product(List<Integer> shape) {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }
}
