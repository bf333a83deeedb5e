package dev.omlx.text.jinja;

import java.util.List;

/** Python's {@code list} and {@code tuple}. */
sealed interface Sequence extends Value {
    List<Value> items();

    /** A sequence of the same kind. */
    Sequence like(List<Value> other);

    /** Python's {@code list}; immutable here, as the sandbox refuses every method that changes one. */
    record Array(List<Value> items) implements Sequence {
        @Override
        public Sequence like(List<Value> other) {
            return new Array(other);
        }

        @Override
        public String typeName() {
            return "list";
        }
    }

    /**
     * Python's {@code tuple}.
     *
     * @param fields names of the elements of a named tuple, else empty
     */
    record Tuple(List<Value> items, List<String> fields) implements Sequence {
        Tuple(List<Value> items) {
            this(items, List.of());
        }

        static Tuple of(Value first, Value second) {
            return new Tuple(List.of(first, second));
        }

        @Override
        public Sequence like(List<Value> other) {
            return new Tuple(other);
        }

        @Override
        public String typeName() {
            return "tuple";
        }
    }
}
