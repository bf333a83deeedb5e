package dev.omlx.nn;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;

/**
 * {@code 2^x} in float32. MLX's CPU back end takes exponentials one by one, which on x86 made a sixth of a step and most
 * of attention over long contexts; here they are made of operations that it takes many at a time.
 */
final class Exp2 {
    /** {@code log2(e)}: {@code exp(x) = 2^(x·LOG2_E)} */
    static final double LOG2_E = 1 / Math.log(2);

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

    private static final int MANTISSA_BITS = 23;
    private static final int EXPONENT_BIAS = 127;

    /**
     * Added to a float32 and subtracted again, it rounds to whole numbers; meanwhile their exponent's bits as a power of
     * two stand lowest.
     */
    private static final double ROUNDING = 0x1.8p23 + EXPONENT_BIAS;

    private Exp2() {}

    /** Whether it is faster than MLX's own for as many numbers as here are at least {@code few}. */
    static boolean pays(Tensor x, long count, long few) {
        return Mlx.device() == Device.CPU && x.dtype() == DType.FLOAT32 && count >= few;
    }

    /**
     * The whole part of x becomes a power of two by its bits alone, a polynomial gives the rest. 0 where the result has no
     * normal float32; infinite above 127; not a number where x is none.
     */
    static Tensor of(Tensor x) {
        return nonPositive(Ops.minimum(x, number(EXPONENT_BIAS + 1)));
    }

    /** The same for x up to 0, or little above. */
    static Tensor nonPositive(Tensor x) {
        Tensor bounded = Ops.maximum(x, number(-EXPONENT_BIAS));
        Tensor shifted = Ops.add(bounded, number(ROUNDING));
        Tensor rest = Ops.subtract(bounded, Ops.subtract(shifted, number(ROUNDING)));
        Tensor power = number(POWER_OF_TWO[POWER_OF_TWO.length - 1]);
        for (int i = POWER_OF_TWO.length - 2; i >= 0; i--) {
            power = Ops.add(Ops.multiply(power, rest), number(POWER_OF_TWO[i]));
        }
        Tensor exponent = Ops.leftShift(Ops.view(shifted, DType.INT32), Tensor.scalar(MANTISSA_BITS, DType.INT32));
        return Ops.multiply(power, Ops.view(exponent, DType.FLOAT32));
    }

    private static Tensor number(double value) {
        return Tensor.scalar(value, DType.FLOAT32);
    }
}
