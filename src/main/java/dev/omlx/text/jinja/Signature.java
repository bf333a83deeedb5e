package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that a macro or call block declares.
 *
 * @param defaults of the last parameters
 */
record Signature(List<Expression.Name> parameters, List<Expression> defaults) {
    static final Signature EMPTY = new Signature(List.of(), List.of());

    /** Parses a signature with its parentheses. */
    static Signature parse(TokenStream tokens, ExpressionParser expressions, NameUses uses) {
        List<Expression.Name> parameters = new ArrayList<>();
        List<Expression> defaults = new ArrayList<>();
        Set<String> declared = new HashSet<>();
        tokens.expectOperator("(");
        while (!tokens.skipOperator(")")) {
            if (!parameters.isEmpty()) {
                tokens.expectOperator(",");
            }
            Token name = tokens.expect(Token.Kind.NAME);
            TargetParser.requireAssignable(name);
            uses.write(name.text());
            if (!declared.add(name.text())) {
                throw JinjaException.syntax("The parameter '" + name.text() + "' is declared twice", name.line());
            }
            parameters.add(new Expression.Name(name.text()));
            if (tokens.skipOperator("=")) {
                defaults.add(expressions.expression());
            } else if (!defaults.isEmpty()) {
                throw JinjaException.syntax("A parameter without default follows one with a default", name.line());
            }
        }
        return new Signature(parameters, defaults);
    }

    boolean declares(String name) {
        return index(name) >= 0;
    }

    boolean hasDefault(String name) {
        return index(name) >= parameters.size() - defaults.size();
    }

    private int index(String name) {
        return parameters.stream().map(Expression.Name::name).toList().indexOf(name);
    }

    /** The variable of a special name that the body uses, or null where it doesn't, or where it is a parameter. */
    Expression.@Nullable Name special(String name, Set<String> used) {
        return used.contains(name) && !declares(name) ? new Expression.Name(name) : null;
    }
}
