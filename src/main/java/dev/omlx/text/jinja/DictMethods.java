package dev.omlx.text.jinja;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of Python's {@code dict} that change nothing. */
final class DictMethods {
    /** What the sandbox refuses. */
    static final Set<String> MUTATORS = Set.of("clear", "pop", "popitem", "setdefault", "update");

    private DictMethods() {}

    /** The method bound to the dict, or null where there is none of that name. */
    static @Nullable Value bind(Dict dict, String name, Budget budget) {
        return switch (name) {
            case "items" -> view(dict, DictView.Part.ITEMS, name);
            case "keys" -> view(dict, DictView.Part.KEYS, name);
            case "values" -> view(dict, DictView.Part.VALUES, name);
            case "get" -> Callable.Builtin.method(name, arguments -> get(dict, arguments, budget));
            case "copy" ->
                Callable.Builtin.method(name, arguments -> {
                    arguments.exactly(0, 0);
                    return dict;
                });
            default -> null;
        };
    }

    private static Callable view(Dict dict, DictView.Part part, String name) {
        return Callable.Builtin.method(name, arguments -> {
            arguments.exactly(0, 0);
            return new DictView(dict, part);
        });
    }

    private static Value get(Dict dict, Arguments arguments, Budget budget) {
        var given = arguments.exactly(1, 2);
        Value found = dict.get(given.get(0), budget);
        if (found != null) {
            return found;
        }
        return given.size() == 2 ? given.get(1) : None.NONE;
    }
}
