package dev.omlx.text.jinja;

import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions that every template can call. */
final class Globals {
    private Globals() {}

    /** The global of a name for one rendering, or null where there is none. */
    static @Nullable Value find(String name, RenderOptions options, Budget budget) {
        return switch (name) {
            case "raise_exception" ->
                Callable.Builtin.function(name, arguments -> {
                    Value message = arguments.bind("message").required("message");
                    throw JinjaException.raised(PythonText.str(message, budget));
                });
            case "strftime_now" -> Callable.Builtin.function(name, arguments -> now(arguments, options));
            case "range" -> Callable.Builtin.function(name, Globals::range);
            case "dict" -> Callable.Builtin.function(name, arguments -> dict(arguments, budget));
            case "namespace" -> Callable.Builtin.function(name, arguments -> new Namespace(dict(arguments, budget)));
            case "cycler" ->
                Callable.Builtin.function(
                        name, arguments -> new Cycler(List.copyOf(arguments.exactly(0, Integer.MAX_VALUE))));
            case "joiner" -> Callable.Builtin.function(name, Globals::joiner);
            default -> null;
        };
    }

    private static Value now(Arguments arguments, RenderOptions options) {
        String format = arguments.string(arguments.bind("format").required("format"));
        String fixed = options.fixedNow();
        return Str.of(
                fixed != null
                        ? fixed
                        : Strftime.format(
                                format,
                                LocalDateTime.now(options.clock()),
                                options.clock().getZone()));
    }

    private static Value range(Arguments arguments) {
        List<Value> given = arguments.exactly(1, 3);
        long[] numbers = new long[given.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(given.get(i), arguments);
        }
        Range range = switch (numbers.length) {
            case 1 -> new Range(0, numbers[0], 1);
            case 2 -> new Range(numbers[0], numbers[1], 1);
            default -> new Range(numbers[0], numbers[1], numbers[2]);
        };
        if (range.size() > Limits.RANGE_LENGTH) {
            throw JinjaException.limit("The template makes a range of more than " + Limits.RANGE_LENGTH + " elements");
        }
        return range;
    }

    private static long number(Value value, Arguments arguments) {
        if (value instanceof Int number && number.isLong()) {
            return number.longValue();
        }
        return arguments.integer(value);
    }

    private static Dict dict(Arguments arguments, Budget budget) {
        Dict dict = new Dict();
        List<Value> positional = arguments.positional();
        if (positional.size() > 1) {
            throw JinjaException.runtime(arguments.callee() + "() takes at most one positional argument");
        }
        if (!positional.isEmpty()) {
            switch (positional.get(0)) {
                case Dict other -> dict.putAll(other, budget);
                case Value pairs -> {
                    for (Value pair : Iteration.toList(pairs, budget)) {
                        List<Value> parts = Iteration.toList(pair, budget);
                        if (parts.size() != 2) {
                            throw JinjaException.runtime(
                                    arguments.callee() + "() needs pairs, but one has " + parts.size() + " elements");
                        }
                        dict.put(parts.get(0), parts.get(1), budget);
                    }
                }
            }
        }
        arguments.named().forEach(dict::put);
        return dict;
    }

    private static Value joiner(Arguments arguments) {
        Value separator = arguments.bind("sep").get("sep");
        boolean[] used = {false};
        return Callable.Builtin.function("joiner", call -> {
            call.exactly(0, 0);
            if (!used[0]) {
                used[0] = true;
                return Str.EMPTY;
            }
            return separator == null ? Str.of(", ") : separator;
        });
    }
}
