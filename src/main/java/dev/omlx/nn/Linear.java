package dev.omlx.nn;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Quantization;
import dev.omlx.mlx.Tensor;
import org.jspecify.annotations.Nullable;

/** A projection {@code [.., in] → [.., out]}. Borrows its weights. */
public sealed interface Linear {
    Tensor apply(Tensor x);

    /**
     * With weights as they are.
     *
     * @param transposed {@code [in, out]}, usually a view of the stored {@code [out, in]}
     */
    record Dense(Tensor transposed, @Nullable Tensor bias) implements Linear {
        @Override
        public Tensor apply(Tensor x) {
            return bias == null ? Ops.matmul(x, transposed) : Ops.addmm(bias, x, transposed);
        }
    }

    /**
     * With packed weights.
     *
     * @param weight {@code [out, in·bits/32]} uint32
     * @param scales {@code [out, in/group]}
     * @param zeros the affine mode's biases, {@code [out, in/group]}; null in the other modes
     * @param bias {@code [out]}
     */
    record Quantized(
            Tensor weight,
            Tensor scales,
            @Nullable Tensor zeros,
            Quantization quantization,
            @Nullable Tensor bias) implements Linear {
        @Override
        public Tensor apply(Tensor x) {
            Tensor y = Ops.quantizedMatmul(x, weight, scales, zeros, quantization);
            return bias == null ? y : Ops.add(y, bias);
        }
    }
}
