package dev.omlx.text.jinja;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of Python's {@code list}, {@code tuple} and {@code range} that change nothing. */
final class SequenceMethods {
    /** What the sandbox refuses on lists. */
    static final Set<String> MUTATORS =
            Set.of("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort");

    private SequenceMethods() {}

    /** The method or named element of a list or tuple, or null where there is none of that name. */
    static @Nullable Value bind(Sequence sequence, String name, Budget budget) {
        if (sequence instanceof Sequence.Tuple tuple && tuple.fields().contains(name)) {
            return tuple.items().get(tuple.fields().indexOf(name));
        }
        if (sequence instanceof Sequence.Array && name.equals("copy")) {
            return Callable.Builtin.method(name, arguments -> {
                arguments.exactly(0, 0);
                return sequence;
            });
        }
        return search(sequence.items(), name, budget);
    }

    /** The attribute of a range, or null where there is none of that name. */
    static @Nullable Value bind(Range range, String name, Budget budget) {
        return switch (name) {
            case "start" -> Int.of(range.start());
            case "stop" -> Int.of(range.stop());
            case "step" -> Int.of(range.step());
            default -> search(range.toList(), name, budget);
        };
    }

    private static @Nullable Value search(List<Value> items, String name, Budget budget) {
        return switch (name) {
            case "count" ->
                Callable.Builtin.method(name, arguments -> {
                    Value wanted = arguments.exactly(1, 1).get(0);
                    long count = 0;
                    for (Value item : items) {
                        budget.step();
                        count += Comparison.equal(item, wanted, budget) ? 1 : 0;
                    }
                    return Int.of(count);
                });
            case "index" -> Callable.Builtin.method(name, arguments -> index(items, arguments, budget));
            default -> null;
        };
    }

    private static Value index(List<Value> items, Arguments arguments, Budget budget) {
        List<Value> given = arguments.exactly(1, 3);
        int from = given.size() > 1 ? bound(arguments.integer(given.get(1)), items.size()) : 0;
        int to = given.size() > 2 ? bound(arguments.integer(given.get(2)), items.size()) : items.size();
        for (int i = from; i < to; i++) {
            budget.step();
            if (Comparison.equal(items.get(i), given.get(0), budget)) {
                return Int.of(i);
            }
        }
        throw JinjaException.runtime("index() doesn't find the value in the list");
    }

    private static int bound(int index, int size) {
        return Math.clamp(index < 0 ? (long) index + size : index, 0, size);
    }
}
