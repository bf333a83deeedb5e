package dev.omlx.nn;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;

/** The activation {@code x / (1 + exp(-x))} (arXiv:1606.08415). */
final class Silu {
    /** So few elements that starting the operations of {@link Exp2} takes longer than the exponentials do. */
    private static final int FEW = 8 * 1024;

    private Silu() {}

    static Tensor apply(Tensor x) {
        if (!Exp2.pays(x, x.size(), FEW)) {
            return Ops.multiply(x, Ops.sigmoid(x));
        }
        Tensor power = Exp2.of(Ops.multiply(x, -Exp2.LOG2_E));
        return Ops.divide(x, Ops.add(power, Tensor.scalar(1, x.dtype())));
    }
}
