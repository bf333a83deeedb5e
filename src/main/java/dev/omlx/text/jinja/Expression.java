package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression of a compiled template. Immutable but for what {@link Binder} fills in before the template is used. */
sealed interface Expression {

    /** The expressions that this one is made of. */
    List<Expression> parts();

    record Literal(Value value) implements Expression {
        @Override
        public List<Expression> parts() {
            return List.of();
        }
    }

    /** A variable; {@link Binder} finds out where its value is. */
    final class Name implements Expression {
        private final String name;
        private Place place = Place.UNBOUND;

        Name(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }

        Place place() {
            return place;
        }

        void bind(Place found) {
            place = found;
        }

        @Override
        public List<Expression> parts() {
            return List.of();
        }
    }

    record ListLiteral(List<Expression> parts) implements Expression {}

    record TupleLiteral(List<Expression> parts) implements Expression {}

    record DictLiteral(List<Expression> keys, List<Expression> values) implements Expression {
        @Override
        public List<Expression> parts() {
            return join(keys, values);
        }
    }

    record Attribute(Expression target, String name) implements Expression {
        @Override
        public List<Expression> parts() {
            return List.of(target);
        }
    }

    record Item(Expression target, Expression key) implements Expression {
        @Override
        public List<Expression> parts() {
            return List.of(target, key);
        }
    }

    /** A slice; what is not given is the literal None. */
    record Slice(Expression target, Expression start, Expression stop, Expression step) implements Expression {
        @Override
        public List<Expression> parts() {
            return List.of(target, start, stop, step);
        }
    }

    record Call(Expression callee, ArgumentList arguments, int line) implements Expression {
        @Override
        public List<Expression> parts() {
            return join(List.of(callee), arguments.parts());
        }
    }

    /**
     * A filter.
     *
     * @param input what it is applied to, or null for the text of the block it heads
     */
    record FilterCall(@Nullable Expression input, String name, ArgumentList arguments, int line) implements Expression {
        @Override
        public List<Expression> parts() {
            return input == null ? arguments.parts() : join(List.of(input), arguments.parts());
        }
    }

    record TestCall(Expression input, String name, ArgumentList arguments, int line) implements Expression {
        @Override
        public List<Expression> parts() {
            return join(List.of(input), arguments.parts());
        }
    }

    record Unary(UnaryOperator operator, Expression operand) implements Expression {
        @Override
        public List<Expression> parts() {
            return List.of(operand);
        }
    }

    enum UnaryOperator {
        NOT,
        MINUS,
        PLUS
    }

    record Binary(BinaryOperator operator, Expression left, Expression right) implements Expression {
        @Override
        public List<Expression> parts() {
            return List.of(left, right);
        }
    }

    enum BinaryOperator {
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        FLOOR_DIVIDE,
        REMAINDER,
        POWER,
        AND,
        OR
    }

    /** A chain such as {@code a < b <= c}: {@code operators.get(i)} stands in front of {@code operands.get(i)}. */
    record Compare(Expression first, List<String> operators, List<Expression> operands) implements Expression {
        @Override
        public List<Expression> parts() {
            return join(List.of(first), operands);
        }
    }

    record Concat(List<Expression> parts) implements Expression {}

    /** {@code then if test else otherwise}; without else it may be undefined. */
    record Conditional(
            Expression test, Expression then, @Nullable Expression otherwise) implements Expression {
        @Override
        public List<Expression> parts() {
            return otherwise == null ? List.of(test, then) : List.of(test, then, otherwise);
        }
    }

    /** The arguments of a call as written, with {@code *sequence} and {@code **dict}. */
    record ArgumentList(
            List<Expression> positional,
            List<String> names,
            List<Expression> named,
            @Nullable Expression spreadSequence,
            @Nullable Expression spreadDict) {
        static final ArgumentList NONE = new ArgumentList(List.of(), List.of(), List.of(), null, null);

        boolean isEmpty() {
            return positional.isEmpty() && named.isEmpty() && spreadSequence == null && spreadDict == null;
        }

        List<Expression> parts() {
            List<Expression> parts = new ArrayList<>(positional);
            parts.addAll(named);
            if (spreadSequence != null) {
                parts.add(spreadSequence);
            }
            if (spreadDict != null) {
                parts.add(spreadDict);
            }
            return parts;
        }
    }

    private static List<Expression> join(List<Expression> first, List<Expression> rest) {
        List<Expression> all = new ArrayList<>(first);
        all.addAll(rest);
        return all;
    }
}
