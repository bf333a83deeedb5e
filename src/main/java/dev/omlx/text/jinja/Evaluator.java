package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions. One for each rendering, used by one thread. */
final class Evaluator {
    private final Budget budget;
    private int line = 1;

    Evaluator(Budget budget) {
        this.budget = budget;
    }

    /** The line that is being executed, for messages. */
    int line() {
        return line;
    }

    void reach(int newLine) {
        line = newLine;
    }

    Value evaluate(Expression expression, Scope scope) {
        if (expression instanceof Expression.Literal literal) {
            return literal.value();
        }
        if (expression instanceof Expression.Name name) {
            return scope.read(name);
        }
        budget.enter();
        Value value = compute(expression, scope);
        budget.leave();
        return value;
    }

    private Value compute(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Attribute attribute ->
                Attributes.attribute(evaluate(attribute.target(), scope), attribute.name(), budget);
            case Expression.Item item ->
                Attributes.item(evaluate(item.target(), scope), evaluate(item.key(), scope), budget);
            case Expression.Binary binary -> binary(binary, scope);
            case Expression.Compare compare -> compare(compare, scope);
            case Expression.FilterCall filter -> filter(filter, scope, null);
            case Expression.TestCall test -> test(test, scope);
            case Expression.Call call -> call(call, scope, null);
            case Expression.Unary unary -> unary(unary, scope);
            case Expression.Conditional conditional -> conditional(conditional, scope);
            case Expression.Concat concat -> concat(concat, scope);
            case Expression.Slice slice ->
                Subscripts.slice(
                        evaluate(slice.target(), scope),
                        evaluate(slice.start(), scope),
                        evaluate(slice.stop(), scope),
                        evaluate(slice.step(), scope),
                        budget);
            case Expression.ListLiteral list -> new Sequence.Array(evaluateAll(list.parts(), scope));
            case Expression.TupleLiteral tuple -> new Sequence.Tuple(evaluateAll(tuple.parts(), scope));
            case Expression.DictLiteral dict -> dict(dict, scope);
            case Expression.Literal literal -> literal.value();
            case Expression.Name name -> scope.read(name);
        };
    }

    private List<Value> evaluateAll(List<Expression> expressions, Scope scope) {
        List<Value> values = new ArrayList<>(expressions.size());
        for (Expression expression : expressions) {
            values.add(evaluate(expression, scope));
        }
        return values;
    }

    private Value dict(Expression.DictLiteral literal, Scope scope) {
        Dict dict = new Dict(literal.keys().size());
        for (int i = 0; i < literal.keys().size(); i++) {
            dict.put(
                    evaluate(literal.keys().get(i), scope),
                    evaluate(literal.values().get(i), scope),
                    budget);
        }
        return dict;
    }

    private Value unary(Expression.Unary unary, Scope scope) {
        Value operand = evaluate(unary.operand(), scope);
        return switch (unary.operator()) {
            case NOT -> Bool.of(!Truth.of(operand));
            case MINUS -> Arithmetic.negate(operand);
            case PLUS -> Arithmetic.plus(operand);
        };
    }

    private Value binary(Expression.Binary binary, Scope scope) {
        Value left = evaluate(binary.left(), scope);
        return switch (binary.operator()) {
            case AND -> Truth.of(left) ? evaluate(binary.right(), scope) : left;
            case OR -> Truth.of(left) ? left : evaluate(binary.right(), scope);
            case ADD -> Arithmetic.add(left, evaluate(binary.right(), scope), budget);
            case SUBTRACT -> Arithmetic.subtract(left, evaluate(binary.right(), scope));
            case MULTIPLY -> Arithmetic.multiply(left, evaluate(binary.right(), scope), budget);
            case DIVIDE -> Arithmetic.divide(left, evaluate(binary.right(), scope));
            case FLOOR_DIVIDE -> Arithmetic.floorDivide(left, evaluate(binary.right(), scope));
            case POWER -> Arithmetic.power(left, evaluate(binary.right(), scope));
            case REMAINDER -> {
                Value right = evaluate(binary.right(), scope);
                yield left instanceof Str format
                        ? PrintfFormat.format(format, right, budget)
                        : Arithmetic.remainder(left, right);
            }
        };
    }

    private Value compare(Expression.Compare compare, Scope scope) {
        Value left = evaluate(compare.first(), scope);
        for (int i = 0; i < compare.operands().size(); i++) {
            Value right = evaluate(compare.operands().get(i), scope);
            if (!holds(left, compare.operators().get(i), right)) {
                return Bool.FALSE;
            }
            left = right;
        }
        return Bool.TRUE;
    }

    private boolean holds(Value left, String operator, Value right) {
        return switch (operator) {
            case "==" -> Comparison.equal(left, right, budget);
            case "!=" -> !Comparison.equal(left, right, budget);
            case "in" -> Comparison.contains(right, left, budget);
            case "not in" -> !Comparison.contains(right, left, budget);
            default -> Comparison.ordered(left, operator, right, budget);
        };
    }

    private Value concat(Expression.Concat concat, Scope scope) {
        TextOutput out = new TextOutput(budget);
        for (Value part : evaluateAll(concat.parts(), scope)) {
            out.append(PythonText.str(part, budget));
        }
        return Str.of(out.toString());
    }

    private Value conditional(Expression.Conditional conditional, Scope scope) {
        if (Truth.of(evaluate(conditional.test(), scope))) {
            return evaluate(conditional.then(), scope);
        }
        return conditional.otherwise() != null
                ? evaluate(conditional.otherwise(), scope)
                : Undefined.because("The inline if has no else, and its test is false");
    }

    private Value test(Expression.TestCall test, Scope scope) {
        Value input = evaluate(test.input(), scope);
        Arguments arguments = arguments(test.name(), test.arguments(), scope, null);
        line = test.line();
        return Bool.of(BuiltinTests.apply(test.name(), input, arguments, budget));
    }

    /**
     * Applies filters.
     *
     * @param captured the text that the innermost filter is applied to where it has no input of its own, else null
     */
    Value filter(Expression.FilterCall filter, Scope scope, @Nullable Value captured) {
        Value input;
        if (filter.input() instanceof Expression.FilterCall before) {
            budget.enter();
            input = filter(before, scope, captured);
            budget.leave();
        } else if (filter.input() != null) {
            input = evaluate(filter.input(), scope);
        } else if (captured != null) {
            input = captured;
        } else {
            throw new IllegalStateException("The filter '" + filter.name() + "' has no input");
        }
        Arguments arguments = arguments(filter.name(), filter.arguments(), scope, null);
        line = filter.line();
        return BuiltinFilters.apply(filter.name(), input, arguments, budget);
    }

    /**
     * Calls.
     *
     * @param caller the body of a call block, which the callee gets as an argument, or null
     */
    Value call(Expression.Call call, Scope scope, @Nullable Value caller) {
        Value callee = evaluate(call.callee(), scope);
        String name = switch (call.callee()) {
            case Expression.Name variable -> variable.name();
            case Expression.Attribute attribute -> attribute.name();
            default -> "call";
        };
        Arguments arguments = arguments(name, call.arguments(), scope, caller);
        line = call.line();
        return switch (callee) {
            case Callable callable -> callable.call(arguments);
            case Undefined undefined -> throw undefined.failure();
            default -> throw JinjaException.runtime("A value of type '" + callee.typeName() + "' can't be called");
        };
    }

    private Arguments arguments(String callee, Expression.ArgumentList written, Scope scope, @Nullable Value caller) {
        if (written.isEmpty() && caller == null) {
            return new Arguments(callee, List.of(), Map.of());
        }
        List<Value> positional = evaluateAll(written.positional(), scope);
        Map<String, Value> named = new LinkedHashMap<>();
        for (int i = 0; i < written.names().size(); i++) {
            named.put(written.names().get(i), evaluate(written.named().get(i), scope));
        }
        if (caller != null) {
            named.put("caller", caller);
        }
        if (written.spreadSequence() != null) {
            positional.addAll(Iteration.toList(evaluate(written.spreadSequence(), scope), budget));
        }
        if (written.spreadDict() != null) {
            spread(callee, evaluate(written.spreadDict(), scope), named);
        }
        return new Arguments(callee, positional, named);
    }

    private static void spread(String callee, Value value, Map<String, Value> named) {
        if (!(value instanceof Dict dict)) {
            throw JinjaException.runtime("'**' needs a dict, but got a value of type '" + value.typeName() + "'");
        }
        for (Dict.Entry entry : dict.entries()) {
            if (!(entry.key() instanceof Str name)) {
                throw JinjaException.runtime("'**' needs a dict whose keys are strings");
            }
            if (named.put(name.text(), entry.value()) != null) {
                throw JinjaException.runtime(callee + "() got two values for '" + name.text() + "'");
            }
        }
    }
}
