package dev.omlx.text.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Filters that make numbers, or text of numbers. */
final class NumberFilters {
    private static final String UNIT_PREFIXES = "kMGTPEZY";

    private NumberFilters() {}

    static Map<String, Filter> all() {
        Map<String, Filter> filters = new HashMap<>();
        filters.put("abs", NumberFilters::absolute);
        filters.put("int", NumberFilters::integer);
        filters.put("float", NumberFilters::real);
        filters.put("round", NumberFilters::round);
        filters.put("sum", NumberFilters::sum);
        filters.put("filesizeformat", NumberFilters::fileSize);
        return filters;
    }

    private static JinjaException notNumber(String filter, Value value) {
        return value instanceof Undefined undefined
                ? undefined.failure()
                : JinjaException.runtime(
                        filter + "() needs a number, but got a value of type '" + value.typeName() + "'");
    }

    private static Value absolute(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        return switch (input) {
            case Real real -> new Real(Math.abs(real.value()));
            case Bool bool -> bool.toInt();
            case Int number -> number.signum() < 0 ? Arithmetic.negate(number) : number;
            default -> throw notNumber("abs", input);
        };
    }

    private static Value integer(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("default", "base");
        Value result = switch (input) {
            case Int number -> number;
            case Bool bool -> bool.toInt();
            case Real real -> Double.isNaN(real.value()) ? null : Int.of(PythonFloat.truncate(real.value()));
            case Str str -> parseInteger(str.text(), given.integer("base", 10));
            case Undefined undefined -> throw undefined.failure();
            default -> null;
        };
        if (result != null) {
            return result;
        }
        Value fallback = given.get("default");
        return fallback == null ? Int.ZERO : fallback;
    }

    private static @Nullable Value parseInteger(String text, int base) {
        Int whole = PythonInt.parse(text, base);
        if (whole != null) {
            return whole;
        }
        Double real = PythonFloat.parse(text);
        return real == null || !Double.isFinite(real) ? null : Int.of(PythonFloat.truncate(real));
    }

    private static Value real(Value input, Arguments arguments, Budget budget) {
        Value fallback = arguments.bind("default").get("default");
        Double result = switch (input) {
            case Real real -> Double.valueOf(real.value());
            case Int number -> Double.valueOf(number.toDouble());
            case Bool bool -> Double.valueOf(bool.number());
            case Str str -> PythonFloat.parse(str.text());
            case Undefined undefined -> throw undefined.failure();
            default -> null;
        };
        if (result != null) {
            return new Real(result);
        }
        return fallback == null ? new Real(0) : fallback;
    }

    private static Value round(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("precision", "method");
        int precision = given.integer("precision", 0);
        Value wanted = given.get("method");
        String method = wanted == null ? "common" : given.string(wanted);
        if (!Comparison.isNumber(input)) {
            throw notNumber("round", input);
        }
        return switch (method) {
            case "common" ->
                input instanceof Real real
                        ? new Real(PythonFloat.round(real.value(), precision))
                        : Int.of(roundWhole(Arithmetic.toInt(input).bigValue(), precision));
            case "ceil" -> scaled(input, precision, true, budget);
            case "floor" -> scaled(input, precision, false, budget);
            default -> throw JinjaException.runtime("round() knows the methods common, ceil and floor");
        };
    }

    private static BigInteger roundWhole(BigInteger value, int precision) {
        if (precision >= 0) {
            return value;
        }
        if (-(long) precision > Limits.INTEGER_BITS) {
            return BigInteger.ZERO;
        }
        return new BigDecimal(value).setScale(precision, RoundingMode.HALF_EVEN).toBigInteger();
    }

    private static Value scaled(Value input, int precision, boolean up, Budget budget) {
        Value scale = Arithmetic.power(Int.of(10), Int.of(precision));
        Value product = Arithmetic.multiply(input, scale, budget);
        if (product instanceof Real real) {
            double rounded = up ? Math.ceil(real.value()) : Math.floor(real.value());
            product = Int.of(PythonFloat.truncate(rounded));
        }
        return Arithmetic.divide(product, scale);
    }

    private static Value sum(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("attribute", "start");
        AttributePath path = AttributePath.of(given.get("attribute"));
        Value start = given.get("start");
        Value sum = start == null ? Int.ZERO : start;
        if (sum instanceof Str) {
            throw JinjaException.runtime("sum() can't start with a string");
        }
        Iterator<Value> items = Iteration.of(input);
        while (items.hasNext()) {
            budget.step();
            sum = Arithmetic.add(sum, path.read(items.next(), budget), budget);
        }
        return sum;
    }

    private static Value fileSize(Value input, Arguments arguments, Budget budget) {
        boolean binary = arguments.bind("binary").flag("binary", false);
        Double parsed = input instanceof Str str ? PythonFloat.parse(str.text()) : null;
        if (parsed == null && !Comparison.isNumber(input)) {
            throw notNumber("filesizeformat", input);
        }
        double bytes = parsed != null ? parsed : Arithmetic.toDouble(input);
        int base = binary ? 1024 : 1000;
        if (bytes == 1) {
            return Str.of("1 Byte");
        }
        if (bytes < base) {
            return Str.of(PythonFloat.truncate(bytes) + " Bytes");
        }
        double unit = base;
        int prefix = 0;
        while (bytes >= unit * base && prefix < UNIT_PREFIXES.length() - 1) {
            unit *= base;
            prefix++;
        }
        String letter = UNIT_PREFIXES.substring(prefix, prefix + 1);
        String suffix = binary ? letter.toUpperCase(java.util.Locale.ROOT) + "iB" : letter + "B";
        return Str.of(PythonFloat.fixed(bytes / unit, 1) + " " + suffix);
    }
}
