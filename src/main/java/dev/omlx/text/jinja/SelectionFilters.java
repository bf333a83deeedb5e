package dev.omlx.text.jinja;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Filters that apply another filter or a test to each element; they work as their result is read. */
final class SelectionFilters {
    private SelectionFilters() {}

    static Map<String, Filter> all() {
        Map<String, Filter> filters = new HashMap<>();
        filters.put("map", SelectionFilters::map);
        filters.put("select", (input, arguments, budget) -> select(input, arguments, false, true, budget));
        filters.put("reject", (input, arguments, budget) -> select(input, arguments, false, false, budget));
        filters.put("selectattr", (input, arguments, budget) -> select(input, arguments, true, true, budget));
        filters.put("rejectattr", (input, arguments, budget) -> select(input, arguments, true, false, budget));
        return filters;
    }

    private static Value map(Value input, Arguments arguments, Budget budget) {
        if (!Truth.of(input)) {
            return Generator.of(List.<Value>of().iterator());
        }
        return Iteration.map(input, mapping(arguments, budget), budget);
    }

    private static UnaryOperator<Value> mapping(Arguments arguments, Budget budget) {
        List<Value> positional = arguments.positional();
        if (positional.isEmpty() && arguments.named().containsKey("attribute")) {
            Arguments given = arguments.bind("attribute", "default");
            AttributePath path = AttributePath.of(given.required("attribute"));
            Value fallback = given.optional("default");
            return item -> path.read(item, fallback, budget);
        }
        if (positional.isEmpty()) {
            throw JinjaException.runtime("map() needs the name of a filter, or an attribute");
        }
        String filter = name(positional.get(0));
        Arguments rest = new Arguments(filter, positional.subList(1, positional.size()), arguments.named());
        return item -> BuiltinFilters.apply(filter, item, rest, budget);
    }

    private static Value select(Value input, Arguments arguments, boolean byAttribute, boolean keep, Budget budget) {
        if (!Truth.of(input)) {
            return Generator.of(List.<Value>of().iterator());
        }
        List<Value> positional = arguments.positional();
        if (byAttribute && positional.isEmpty()) {
            throw JinjaException.runtime(arguments.callee() + "() needs the name of an attribute");
        }
        AttributePath path = byAttribute ? AttributePath.of(positional.get(0)) : AttributePath.SELF;
        List<Value> rest = positional.subList(byAttribute ? 1 : 0, positional.size());
        Predicate<Value> test = test(rest, arguments, budget);
        return Generator.of(
                new FilteredIterator(Iteration.of(input), item -> test.test(path.read(item, budget)) == keep, budget));
    }

    private static Predicate<Value> test(List<Value> positional, Arguments arguments, Budget budget) {
        if (positional.isEmpty()) {
            return Truth::of;
        }
        String test = name(positional.get(0));
        Arguments rest = new Arguments(test, positional.subList(1, positional.size()), arguments.named());
        return item -> BuiltinTests.apply(test, item, rest, budget);
    }

    private static String name(Value value) {
        return switch (value) {
            case Str str -> str.text();
            case Undefined undefined -> throw undefined.failure();
            default -> throw JinjaException.runtime("The name of a filter or test must be a string");
        };
    }
}
