package dev.omlx.text.jinja;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The attributes of Python's numbers that templates may meet. */
final class NumberMethods {
    private NumberMethods() {}

    static @Nullable Value attribute(Int number, String name) {
        return switch (name) {
            case "real", "numerator" -> number;
            case "imag" -> Int.ZERO;
            case "denominator" -> Int.of(1);
            case "conjugate" -> constant(name, number);
            case "bit_length" -> constant(name, Int.of(number.bigValue().abs().bitLength()));
            case "bit_count" -> constant(name, Int.of(number.bigValue().abs().bitCount()));
            case "as_integer_ratio" -> constant(name, Sequence.Tuple.of(number, Int.of(1)));
            default -> null;
        };
    }

    static @Nullable Value attribute(Real real, String name) {
        return switch (name) {
            case "real" -> real;
            case "imag" -> new Real(0);
            case "conjugate" -> constant(name, real);
            case "is_integer" ->
                constant(name, Bool.of(Double.isFinite(real.value()) && real.value() == Math.rint(real.value())));
            case "as_integer_ratio" ->
                Callable.Builtin.method(name, arguments -> {
                    arguments.exactly(0, 0);
                    return ratio(real.value());
                });
            default -> null;
        };
    }

    private static Callable constant(String name, Value result) {
        return Callable.Builtin.method(name, arguments -> {
            arguments.exactly(0, 0);
            return result;
        });
    }

    private static Value ratio(double value) {
        BigInteger denominator = BigInteger.ONE;
        double numerator = value;
        while (numerator != Math.rint(numerator)) {
            numerator *= 2;
            denominator = denominator.shiftLeft(1);
        }
        return Sequence.Tuple.of(Int.of(PythonFloat.truncate(numerator)), Int.of(denominator));
    }
}
