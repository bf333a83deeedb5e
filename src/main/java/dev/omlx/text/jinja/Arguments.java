package dev.omlx.text.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call.
 *
 * @param callee who is called, for messages
 */
record Arguments(String callee, List<Value> positional, Map<String, Value> named) {

    /** The same arguments by parameter name, as Python assigns them. */
    Arguments bind(String... parameters) {
        if (positional.size() > parameters.length) {
            throw JinjaException.runtime(
                    callee + "() takes at most " + parameters.length + " arguments, but got " + positional.size());
        }
        Map<String, Value> bound = new LinkedHashMap<>();
        for (int i = 0; i < positional.size(); i++) {
            bound.put(parameters[i], positional.get(i));
        }
        List<String> known = List.of(parameters);
        named.forEach((name, value) -> {
            if (!known.contains(name)) {
                throw unknownKeyword(name);
            }
            if (bound.put(name, value) != null) {
                throw JinjaException.runtime(callee + "() got two values for '" + name + "'");
            }
        });
        return new Arguments(callee, positional, bound);
    }

    /** Positional arguments only, so many of them. */
    List<Value> exactly(int least, int most) {
        if (!named.isEmpty()) {
            throw unknownKeyword(named.keySet().iterator().next());
        }
        if (positional.size() < least || positional.size() > most) {
            String expected = least == most ? String.valueOf(least) : least + " to " + most;
            throw JinjaException.runtime(callee + "() takes " + expected + " arguments, but got " + positional.size());
        }
        return positional;
    }

    JinjaException unknownKeyword(String name) {
        return JinjaException.runtime(callee + "() has no parameter '" + name + "'");
    }

    /** A bound argument, or null where it is not given. */
    @Nullable
    Value get(String name) {
        return named.get(name);
    }

    /** A bound argument that must be given. */
    Value required(String name) {
        Value value = named.get(name);
        if (value == null) {
            throw JinjaException.runtime(callee + "() needs the argument '" + name + "'");
        }
        return value;
    }

    /** A bound argument, or null where it is not given or None. */
    @Nullable
    Value optional(String name) {
        Value value = named.get(name);
        return value == None.NONE ? null : value;
    }

    boolean flag(String name, boolean fallback) {
        Value value = named.get(name);
        return value == null ? fallback : Truth.of(value);
    }

    int integer(String name, int fallback) {
        Value value = named.get(name);
        return value == null ? fallback : integer(value);
    }

    /** An argument that must be an integer. */
    int integer(Value value) {
        return switch (value) {
            case Bool bool -> bool.number();
            case Int number -> number.clamped();
            case Undefined undefined -> throw undefined.failure();
            default ->
                throw JinjaException.runtime(
                        callee + "() needs an integer, but got a value of type '" + value.typeName() + "'");
        };
    }

    /** An argument that must be a string. */
    String string(Value value) {
        return switch (value) {
            case Str str -> str.text();
            default ->
                throw JinjaException.runtime(
                        callee + "() needs a string, but got a value of type '" + value.typeName() + "'");
        };
    }
}
