package dev.omlx.text.jinja;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** The tests by name, which {@code is} and the selecting filters apply. */
final class BuiltinTests {
    @FunctionalInterface
    private interface Test {
        boolean holds(Value input, Arguments arguments, Budget budget);
    }

    private static final Map<String, Test> TESTS = new HashMap<>();

    static {
        kinds();
        relations();
        plain("defined", value -> !(value instanceof Undefined));
        plain("undefined", value -> value instanceof Undefined);
        plain("iterable", Iteration::isIterable);
        plain("callable", value -> value instanceof Callable || value instanceof Undefined);
        plain("escaped", value -> value instanceof Str str && str.markup());
        plain("filter", value -> value instanceof Str str && BuiltinFilters.exists(str.text()));
        plain("test", value -> value instanceof Str str && exists(str.text()));
        TESTS.put("lower", (input, arguments, budget) -> TextCase.isLower(text(input, arguments, budget)));
        TESTS.put("upper", (input, arguments, budget) -> TextCase.isUpper(text(input, arguments, budget)));
        TESTS.put("odd", (input, arguments, budget) -> remainder(input, Int.of(2), arguments, 0, budget, Int.of(1)));
        TESTS.put("even", (input, arguments, budget) -> remainder(input, Int.of(2), arguments, 0, budget, Int.ZERO));
        TESTS.put(
                "divisibleby",
                (input, arguments, budget) ->
                        remainder(input, arguments.bind("num").required("num"), arguments, 1, budget, Int.ZERO));
    }

    private BuiltinTests() {}

    static boolean exists(String name) {
        return TESTS.containsKey(name);
    }

    static boolean apply(String name, Value input, Arguments arguments, Budget budget) {
        Test test = TESTS.get(name);
        if (test == null) {
            throw JinjaException.runtime("The test '" + name + "' is unknown");
        }
        return test.holds(input, arguments, budget);
    }

    private static void kinds() {
        plain("none", value -> value == None.NONE);
        plain("boolean", value -> value instanceof Bool);
        plain("true", value -> value == Bool.TRUE);
        plain("false", value -> value == Bool.FALSE);
        plain("integer", value -> value instanceof Int);
        plain("float", value -> value instanceof Real);
        plain("number", Comparison::isNumber);
        plain("string", value -> value instanceof Str);
        plain("mapping", value -> value instanceof Dict);
        plain(
                "sequence",
                value -> Iteration.hasLength(value) && !(value instanceof DictView) && !(value instanceof LoopState));
    }

    private static void relations() {
        for (String name : new String[] {"==", "eq", "equalto"}) {
            TESTS.put(name, (input, arguments, budget) -> Comparison.equal(input, other(arguments), budget));
        }
        for (String name : new String[] {"!=", "ne"}) {
            TESTS.put(name, (input, arguments, budget) -> !Comparison.equal(input, other(arguments), budget));
        }
        ordered("<", "<", "lt", "lessthan");
        ordered("<=", "<=", "le");
        ordered(">", ">", "gt", "greaterthan");
        ordered(">=", ">=", "ge");
        TESTS.put(
                "in",
                (input, arguments, budget) ->
                        Comparison.contains(arguments.bind("seq").required("seq"), input, budget));
        TESTS.put(
                "sameas",
                (input, arguments, budget) ->
                        Comparison.identical(input, arguments.bind("other").required("other")));
    }

    private static void ordered(String operator, String... names) {
        for (String name : names) {
            TESTS.put(
                    name, (input, arguments, budget) -> Comparison.ordered(input, operator, other(arguments), budget));
        }
    }

    private static Value other(Arguments arguments) {
        return arguments.exactly(1, 1).get(0);
    }

    private static void plain(String name, Predicate<Value> test) {
        TESTS.put(name, (input, arguments, budget) -> {
            arguments.exactly(0, 0);
            return test.test(input);
        });
    }

    private static String text(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        String text = PythonText.str(input, budget);
        budget.copy(text.length());
        return text;
    }

    private static boolean remainder(
            Value input, Value divisor, Arguments arguments, int count, Budget budget, Value wanted) {
        if (arguments.positional().size() + arguments.named().size() > count) {
            arguments.exactly(count, count);
        }
        return Comparison.equal(Arithmetic.remainder(input, divisor), wanted, budget);
    }
}
