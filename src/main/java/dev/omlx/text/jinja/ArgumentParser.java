package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Parses the arguments of calls, filters and tests. */
final class ArgumentParser {
    private final TokenStream tokens;
    private final ExpressionParser expressions;

    ArgumentParser(TokenStream tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /** The arguments of a call with their parentheses. */
    Expression.ArgumentList parse() {
        tokens.expectOperator("(");
        List<Expression> positional = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Expression> named = new ArrayList<>();
        Set<String> known = new HashSet<>();
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
                spreadSequence = expressions.expression();
            } else if (tokens.current().isOperator("**")) {
                requireOrder(spreadDict == null);
                tokens.next();
                spreadDict = expressions.expression();
            } else if (tokens.current().is(Token.Kind.NAME) && tokens.peek().isOperator("=")) {
                requireOrder(spreadDict == null);
                names.add(argumentName(known));
                named.add(expressions.expression());
            } else {
                requireOrder(!spread && named.isEmpty());
                positional.add(expressions.expression());
            }
        }
        return new Expression.ArgumentList(positional, names, named, spreadSequence, spreadDict);
    }

    private String argumentName(Set<String> known) {
        Token name = tokens.next();
        tokens.next();
        if (!known.add(name.text())) {
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
