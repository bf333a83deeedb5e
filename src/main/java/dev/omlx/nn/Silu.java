package dev.omlx.nn;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;

/**
 * The activation {@code x / (1 + exp(-x))} (arXiv:1606.08415). MLX's CPU back end takes exponentials one by one, which on
 * x86 made a sixth of a step; here they are made of operations that it takes many at a time.
 */
final class Silu {
    /** So few elements that starting the operations takes longer than the exponentials do. */
    private static final int FEW = 8 * 1024;

    /**
     * {@code 2^f} on [-½, ½] by powers of f: the polynomial that meets it at the six Chebyshev nodes, off by at most 1.1
     * parts in ten million.
     */
    private static final double[] POWER_OF_TWO = {
        1.0000000754548972,
        0.6931471880262287,
        0.24022107485308208,
        0.05550357114219461,
        0.009676031918326564,
        0.0013390863364533504
    };

    /** Added to a float32 and subtracted again, it rounds to whole numbers, which meanwhile stand in the lowest bits. */
    private static final double ROUNDING = 0x1.8p23;

    private static final int MANTISSA_BITS = 23;

    /** Beyond it 2^x has no normal float32. */
    private static final double GREATEST_EXPONENT = 126;

    private Silu() {}

    static Tensor apply(Tensor x) {
        if (Mlx.device() == Device.GPU || x.dtype() != DType.FLOAT32 || x.size() < FEW) {
            return Ops.multiply(x, Ops.sigmoid(x));
        }
        Tensor power = exp2(Ops.multiply(x, -1 / Math.log(2)));
        return Ops.divide(x, Ops.add(power, number(1)));
    }

    /** {@code 2^x}: the whole part of x goes into the exponent's bits, a polynomial gives the rest. */
    private static Tensor exp2(Tensor x) {
        Tensor bounded = Ops.maximum(Ops.minimum(x, number(GREATEST_EXPONENT)), number(-GREATEST_EXPONENT));
        Tensor shifted = Ops.add(bounded, number(ROUNDING));
        Tensor rest = Ops.subtract(bounded, Ops.subtract(shifted, number(ROUNDING)));
        Tensor power = number(POWER_OF_TWO[POWER_OF_TWO.length - 1]);
        for (int i = POWER_OF_TWO.length - 2; i >= 0; i--) {
            power = Ops.add(Ops.multiply(power, rest), number(POWER_OF_TWO[i]));
        }
        Tensor exponent = Ops.leftShift(Ops.view(shifted, DType.INT32), Tensor.scalar(MANTISSA_BITS, DType.INT32));
        return Ops.view(Ops.add(Ops.view(power, DType.INT32), exponent), DType.FLOAT32);
    }

    private static Tensor number(double value) {
        return Tensor.scalar(value, DType.FLOAT32);
    }
}
