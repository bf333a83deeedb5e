package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parses expressions by recursive descent, loosest operators first; {@link OperandParser} parses what they connect. */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Map<String, Expression.BinaryOperator> SUMS =
            Map.of("+", Expression.BinaryOperator.ADD, "-", Expression.BinaryOperator.SUBTRACT);
    private static final Map<String, Expression.BinaryOperator> PRODUCTS = Map.of(
            "*", Expression.BinaryOperator.MULTIPLY,
            "/", Expression.BinaryOperator.DIVIDE,
            "//", Expression.BinaryOperator.FLOOR_DIVIDE,
            "%", Expression.BinaryOperator.REMAINDER);
    private static final Map<String, Expression.BinaryOperator> POWERS = Map.of("**", Expression.BinaryOperator.POWER);

    private final TokenStream tokens;
    private final Nesting nesting;
    private final OperandParser operands;

    ExpressionParser(TokenStream tokens, Nesting nesting, NameUses uses) {
        this.tokens = tokens;
        this.nesting = nesting;
        this.operands = new OperandParser(tokens, this, uses);
    }

    OperandParser operands() {
        return operands;
    }

    /** One expression. */
    Expression expression() {
        nesting.enter(tokens.line());
        Expression expression = or();
        while (tokens.skipName("if")) {
            Expression test = or();
            Expression otherwise = tokens.skipName("else") ? expression() : null;
            expression = new Expression.Conditional(test, expression, otherwise);
        }
        nesting.leave();
        return expression;
    }

    /** One expression that is no inline if, so that an {@code if} after it belongs to the statement. */
    Expression unconditional() {
        nesting.enter(tokens.line());
        Expression expression = or();
        nesting.leave();
        return expression;
    }

    /** One expression, or several with commas that make a tuple. */
    Expression tuple() {
        return tuple(this::expression, null);
    }

    /**
     * As {@link #tuple()} of unconditional expressions.
     *
     * @param end a name that may follow a trailing comma, or null
     */
    Expression unconditionalTuple(@Nullable String end) {
        return tuple(this::unconditional, end);
    }

    private Expression tuple(Supplier<Expression> element, @Nullable String end) {
        List<Expression> items = new ArrayList<>();
        boolean comma = false;
        while (!isTupleEnd(end)) {
            items.add(element.get());
            if (!tokens.skipOperator(",")) {
                break;
            }
            comma = true;
        }
        if (items.isEmpty()) {
            throw JinjaException.syntax(
                    "Expected an expression but found " + tokens.current().describe(), tokens.line());
        }
        return comma ? new Expression.TupleLiteral(items) : items.get(0);
    }

    private boolean isTupleEnd(@Nullable String end) {
        Token token = tokens.current();
        return token.is(Token.Kind.VARIABLE_END)
                || token.is(Token.Kind.BLOCK_END)
                || token.isOperator(")")
                || (end != null && token.isName(end));
    }

    private Expression or() {
        Expression left = and();
        while (tokens.skipName("or")) {
            left = new Expression.Binary(Expression.BinaryOperator.OR, left, and());
        }
        return left;
    }

    private Expression and() {
        Expression left = not();
        while (tokens.skipName("and")) {
            left = new Expression.Binary(Expression.BinaryOperator.AND, left, not());
        }
        return left;
    }

    private Expression not() {
        if (!tokens.current().isName("not")) {
            return comparison();
        }
        nesting.enter(tokens.next().line());
        Expression negated = new Expression.Unary(Expression.UnaryOperator.NOT, not());
        nesting.leave();
        return negated;
    }

    private Expression comparison() {
        Expression first = sum();
        List<String> operators = new ArrayList<>();
        List<Expression> operands = new ArrayList<>();
        for (String operator = comparator(); operator != null; operator = comparator()) {
            operators.add(operator);
            operands.add(sum());
        }
        return operators.isEmpty() ? first : new Expression.Compare(first, operators, operands);
    }

    private @Nullable String comparator() {
        Token token = tokens.current();
        if (token.is(Token.Kind.OPERATOR) && COMPARISONS.contains(token.text())) {
            return tokens.next().text();
        }
        if (tokens.skipName("in")) {
            return "in";
        }
        if (token.isName("not") && tokens.peek().isName("in")) {
            tokens.next();
            tokens.next();
            return "not in";
        }
        return null;
    }

    private Expression sum() {
        return leftToRight(SUMS, this::concatenation);
    }

    private Expression concatenation() {
        Expression first = product();
        if (!tokens.current().isOperator("~")) {
            return first;
        }
        List<Expression> parts = new ArrayList<>();
        parts.add(first);
        while (tokens.skipOperator("~")) {
            parts.add(product());
        }
        return new Expression.Concat(parts);
    }

    private Expression product() {
        return leftToRight(PRODUCTS, this::power);
    }

    private Expression power() {
        return leftToRight(POWERS, () -> unary(true));
    }

    private Expression leftToRight(Map<String, Expression.BinaryOperator> operators, Supplier<Expression> operand) {
        Expression left = operand.get();
        while (tokens.current().is(Token.Kind.OPERATOR)) {
            Expression.BinaryOperator operator = operators.get(tokens.current().text());
            if (operator == null) {
                break;
            }
            tokens.next();
            left = new Expression.Binary(operator, left, operand.get());
        }
        return left;
    }

    private Expression unary(boolean withFilters) {
        Token token = tokens.current();
        Expression expression;
        if (token.isOperator("-") || token.isOperator("+")) {
            nesting.enter(tokens.next().line());
            expression = new Expression.Unary(
                    token.isOperator("-") ? Expression.UnaryOperator.MINUS : Expression.UnaryOperator.PLUS,
                    unary(false));
            nesting.leave();
        } else {
            expression = operands.primary();
        }
        expression = operands.postfix(expression);
        return withFilters ? operands.filtersAndTests(expression) : expression;
    }
}
