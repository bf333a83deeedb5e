package dev.omlx.text.jinja;

import java.util.function.Function;

/** A value that templates can call. */
sealed interface Callable extends Value permits Callable.Builtin, Macro, LoopState {

    Value call(Arguments arguments);

    /** A global function or a bound method. */
    record Builtin(String name, String typeName, Function<Arguments, Value> function) implements Callable {
        static Builtin function(String name, Function<Arguments, Value> function) {
            return new Builtin(name, "function", function);
        }

        static Builtin method(String name, Function<Arguments, Value> function) {
            return new Builtin(name, "builtin_function_or_method", function);
        }

        @Override
        public Value call(Arguments arguments) {
            return function.apply(arguments);
        }
    }
}
