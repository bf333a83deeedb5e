package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Parses what operators connect: names, literals and brackets with the members, calls, filters and tests after them. */
final class OperandParser {
    private static final Set<Token.Kind> TEST_ARGUMENT_STARTS =
            Set.of(Token.Kind.NAME, Token.Kind.STRING, Token.Kind.INTEGER, Token.Kind.FLOAT);
    private static final Expression.Literal NONE = new Expression.Literal(None.NONE);

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final ArgumentParser arguments;
    private final NameUses uses;

    OperandParser(TokenStream tokens, ExpressionParser expressions, NameUses uses) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.arguments = new ArgumentParser(tokens, expressions);
        this.uses = uses;
    }

    /** A name, a literal, or something in brackets. */
    Expression primary() {
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
                Expression inner = empty ? new Expression.TupleLiteral(List.of()) : expressions.tuple();
                tokens.expectOperator(")");
                yield inner;
            }
            case "[" -> new Expression.ListLiteral(separated("]", expressions::expression));
            case "{" -> {
                List<Expression> values = new ArrayList<>();
                List<Expression> keys = separated("}", () -> {
                    Expression key = expressions.expression();
                    tokens.expectOperator(":");
                    values.add(expressions.expression());
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

    /** The members, elements and calls after an operand. */
    Expression postfix(Expression start) {
        Expression expression = start;
        while (true) {
            if (tokens.skipOperator(".")) {
                expression = member(expression);
            } else if (tokens.skipOperator("[")) {
                expression = subscript(expression);
            } else if (tokens.current().isOperator("(")) {
                int line = tokens.line();
                expression = new Expression.Call(expression, arguments.parse(), line);
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
            Expression start = tokens.current().isOperator(":") ? NONE : expressions.expression();
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
        return tokens.current().isOperator(":") || tokens.current().isOperator("]") ? NONE : expressions.expression();
    }

    /** The filters and tests after an operand. */
    Expression filtersAndTests(Expression start) {
        Expression expression = start;
        while (true) {
            if (tokens.skipOperator("|")) {
                expression = filter(expression);
            } else if (tokens.skipName("is")) {
                expression = test(expression);
            } else if (tokens.current().isOperator("(")) {
                int line = tokens.line();
                expression = new Expression.Call(expression, arguments.parse(), line);
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
        return tokens.current().isOperator("(") ? arguments.parse() : Expression.ArgumentList.NONE;
    }

    private Expression test(Expression input) {
        int line = tokens.line();
        boolean negated = tokens.skipName("not");
        String name = dottedName();
        Expression test = new Expression.TestCall(input, name, testArguments(), line);
        return negated ? new Expression.Unary(Expression.UnaryOperator.NOT, test) : test;
    }

    private Expression.ArgumentList testArguments() {
        if (tokens.current().isOperator("(") || !startsTestArgument()) {
            return optionalArguments();
        }
        Expression argument = postfix(primary());
        return new Expression.ArgumentList(List.of(argument), List.of(), List.of(), null, null);
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
}
