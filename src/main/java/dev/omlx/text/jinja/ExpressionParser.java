package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parses expressions by recursive descent, loosest operators first. */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Map<String, Expression.Binary.Operator> SUMS =
            Map.of("+", Expression.Binary.Operator.ADD, "-", Expression.Binary.Operator.SUBTRACT);
    private static final Map<String, Expression.Binary.Operator> PRODUCTS = Map.of(
            "*", Expression.Binary.Operator.MULTIPLY,
            "/", Expression.Binary.Operator.DIVIDE,
            "//", Expression.Binary.Operator.FLOOR_DIVIDE,
            "%", Expression.Binary.Operator.REMAINDER);
    private static final Map<String, Expression.Binary.Operator> POWERS =
            Map.of("**", Expression.Binary.Operator.POWER);
    private static final Set<Token.Kind> TEST_ARGUMENT_STARTS =
            Set.of(Token.Kind.NAME, Token.Kind.STRING, Token.Kind.INTEGER, Token.Kind.FLOAT);
    private static final Expression.Literal NONE = new Expression.Literal(None.NONE);

    private final TokenStream tokens;
    private final Nesting nesting;
    private final NameUses uses;

    ExpressionParser(TokenStream tokens, Nesting nesting, NameUses uses) {
        this.tokens = tokens;
        this.nesting = nesting;
        this.uses = uses;
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
            left = new Expression.Binary(Expression.Binary.Operator.OR, left, and());
        }
        return left;
    }

    private Expression and() {
        Expression left = not();
        while (tokens.skipName("and")) {
            left = new Expression.Binary(Expression.Binary.Operator.AND, left, not());
        }
        return left;
    }

    private Expression not() {
        if (!tokens.current().isName("not")) {
            return comparison();
        }
        nesting.enter(tokens.next().line());
        Expression negated = new Expression.Unary(Expression.Unary.Operator.NOT, not());
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

    private Expression leftToRight(Map<String, Expression.Binary.Operator> operators, Supplier<Expression> operand) {
        Expression left = operand.get();
        while (tokens.current().is(Token.Kind.OPERATOR)) {
            Expression.Binary.Operator operator = operators.get(tokens.current().text());
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
                    token.isOperator("-") ? Expression.Unary.Operator.MINUS : Expression.Unary.Operator.PLUS,
                    unary(false));
            nesting.leave();
        } else {
            expression = primary();
        }
        expression = postfix(expression);
        return withFilters ? filtersAndTests(expression) : expression;
    }

    private Expression primary() {
        Token token = tokens.next();
        return switch (token.kind()) {
            case NAME -> name(token.text());
            case STRING -> {
                StringBuilder text = new StringBuilder(token.text());
                while (tokens.current().is(Token.Kind.STRING)) {
                    text.append(tokens.next().text());
                }
                yield new Expression.Literal(Str.of(text.toString()));
            }
            case INTEGER -> new Expression.Literal(integer(token));
            case FLOAT -> new Expression.Literal(new Real(Double.parseDouble(token.text())));
            case OPERATOR -> bracketed(token);
            default -> throw unexpected(token);
        };
    }

    private static Value integer(Token token) {
        Int value = PythonInt.parse(token.text(), 0);
        if (value == null) {
            throw unexpected(token);
        }
        return value;
    }

    private Expression name(String name) {
        return switch (name) {
            case "true", "True" -> new Expression.Literal(Bool.TRUE);
            case "false", "False" -> new Expression.Literal(Bool.FALSE);
            case "none", "None" -> NONE;
            default -> {
                uses.read(name);
                yield new Expression.Name(name);
            }
        };
    }

    private Expression bracketed(Token open) {
        return switch (open.text()) {
            case "(" -> {
                boolean empty = tokens.current().isOperator(")");
                Expression inner = empty ? new Expression.TupleLiteral(List.of()) : tuple();
                tokens.expectOperator(")");
                yield inner;
            }
            case "[" -> new Expression.ListLiteral(separated("]", this::expression));
            case "{" -> {
                List<Expression> values = new ArrayList<>();
                List<Expression> keys = separated("}", () -> {
                    Expression key = expression();
                    tokens.expectOperator(":");
                    values.add(expression());
                    return key;
                });
                yield new Expression.DictLiteral(keys, values);
            }
            default -> throw unexpected(open);
        };
    }

    /** Elements between commas up to a closing bracket; the last comma may be followed by nothing. */
    private List<Expression> separated(String close, Supplier<Expression> element) {
        List<Expression> items = new ArrayList<>();
        while (!tokens.skipOperator(close)) {
            if (!items.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator(close)) {
                    break;
                }
            }
            items.add(element.get());
        }
        return items;
    }

    private static JinjaException unexpected(Token token) {
        return JinjaException.syntax("Unexpected " + token.describe(), token.line());
    }

    private Expression postfix(Expression start) {
        Expression expression = start;
        while (true) {
            if (tokens.skipOperator(".")) {
                expression = member(expression);
            } else if (tokens.skipOperator("[")) {
                expression = subscript(expression);
            } else if (tokens.current().isOperator("(")) {
                int line = tokens.line();
                expression = new Expression.Call(expression, arguments(), line);
            } else {
                return expression;
            }
        }
    }

    private Expression member(Expression target) {
        Token token = tokens.next();
        return switch (token.kind()) {
            case NAME -> new Expression.Attribute(target, token.text());
            case INTEGER -> new Expression.Item(target, new Expression.Literal(integer(token)));
            default -> throw unexpected(token);
        };
    }

    private Expression subscript(Expression target) {
        List<Expression> keys = new ArrayList<>();
        while (!tokens.skipOperator("]")) {
            if (!keys.isEmpty()) {
                tokens.expectOperator(",");
            }
            Expression start = tokens.current().isOperator(":") ? NONE : expression();
            if (keys.isEmpty() && tokens.current().isOperator(":")) {
                Expression slice = slice(target, start);
                tokens.expectOperator("]");
                return slice;
            }
            keys.add(start);
        }
        return new Expression.Item(target, keys.size() == 1 ? keys.get(0) : new Expression.TupleLiteral(keys));
    }

    private Expression slice(Expression target, Expression start) {
        tokens.expectOperator(":");
        Expression stop = sliceBound();
        Expression step = tokens.skipOperator(":") ? sliceBound() : NONE;
        return new Expression.Slice(target, start, stop, step);
    }

    private Expression sliceBound() {
        return tokens.current().isOperator(":") || tokens.current().isOperator("]") ? NONE : expression();
    }

    private Expression filtersAndTests(Expression start) {
        Expression expression = start;
        while (true) {
            if (tokens.skipOperator("|")) {
                expression = filter(expression);
            } else if (tokens.skipName("is")) {
                expression = test(expression);
            } else if (tokens.current().isOperator("(")) {
                int line = tokens.line();
                expression = new Expression.Call(expression, arguments(), line);
            } else {
                return expression;
            }
        }
    }

    /** A filter without its leading bar. */
    Expression.FilterCall filter(@Nullable Expression input) {
        int line = tokens.line();
        String name = dottedName();
        return new Expression.FilterCall(input, name, optionalArguments(), line);
    }

    /** The filters of a block, or null if there are none. */
    Expression.@Nullable FilterCall filters(Expression.@Nullable FilterCall first) {
        Expression.FilterCall filters = first;
        while (tokens.skipOperator("|")) {
            filters = filter(filters);
        }
        return filters;
    }

    private String dottedName() {
        StringBuilder name = new StringBuilder(tokens.expect(Token.Kind.NAME).text());
        while (tokens.skipOperator(".")) {
            name.append('.').append(tokens.expect(Token.Kind.NAME).text());
        }
        return name.toString();
    }

    private Expression.ArgumentList optionalArguments() {
        return tokens.current().isOperator("(") ? arguments() : Expression.ArgumentList.NONE;
    }

    private Expression test(Expression input) {
        int line = tokens.line();
        boolean negated = tokens.skipName("not");
        String name = dottedName();
        Expression.ArgumentList arguments = optionalArguments();
        if (arguments == Expression.ArgumentList.NONE && startsTestArgument()) {
            Expression argument = postfix(primary());
            arguments = new Expression.ArgumentList(List.of(argument), List.of(), List.of(), null, null);
        }
        Expression test = new Expression.TestCall(input, name, arguments, line);
        return negated ? new Expression.Unary(Expression.Unary.Operator.NOT, test) : test;
    }

    /** Whether a test without parentheses has an argument; a name other than these operators is always taken for one. */
    private boolean startsTestArgument() {
        Token token = tokens.current();
        if (token.isName("is")) {
            throw JinjaException.syntax("Tests can't be chained with 'is'", token.line());
        }
        return (TEST_ARGUMENT_STARTS.contains(token.kind()) || token.isOperator("[") || token.isOperator("{"))
                && !token.isName("else")
                && !token.isName("or")
                && !token.isName("and");
    }

    /** The arguments of a call with their parentheses. */
    private Expression.ArgumentList arguments() {
        tokens.expectOperator("(");
        List<Expression> positional = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Expression> named = new ArrayList<>();
        Expression spreadSequence = null;
        Expression spreadDict = null;
        boolean first = true;
        while (!tokens.skipOperator(")")) {
            if (!first) {
                tokens.expectOperator(",");
                if (tokens.skipOperator(")")) {
                    break;
                }
            }
            first = false;
            boolean spread = spreadSequence != null || spreadDict != null;
            if (tokens.current().isOperator("*")) {
                requireOrder(!spread);
                tokens.next();
                spreadSequence = expression();
            } else if (tokens.current().isOperator("**")) {
                requireOrder(spreadDict == null);
                tokens.next();
                spreadDict = expression();
            } else if (tokens.current().is(Token.Kind.NAME) && tokens.peek().isOperator("=")) {
                requireOrder(spreadDict == null);
                names.add(argumentName(names));
                named.add(expression());
            } else {
                requireOrder(!spread && named.isEmpty());
                positional.add(expression());
            }
        }
        return new Expression.ArgumentList(positional, names, named, spreadSequence, spreadDict);
    }

    private String argumentName(List<String> names) {
        Token name = tokens.next();
        tokens.next();
        if (names.contains(name.text())) {
            throw JinjaException.syntax("The argument '" + name.text() + "' is given twice", name.line());
        }
        return name.text();
    }

    private void requireOrder(boolean valid) {
        if (!valid) {
            throw JinjaException.syntax("The arguments of the call are in a wrong order", tokens.line());
        }
    }
}
