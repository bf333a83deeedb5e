package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parses what statements assign to. */
final class TargetParser {
    private static final Set<String> CONSTANTS = Set.of("true", "false", "none", "True", "False", "None");

    private final TokenStream tokens;
    private final Nesting nesting;
    private final NameUses uses;

    /** Loops around the current statement, in which {@code loop} can't be assigned to. */
    private int loops;

    TargetParser(TokenStream tokens, Nesting nesting, NameUses uses) {
        this.tokens = tokens;
        this.nesting = nesting;
        this.uses = uses;
    }

    void enterLoop() {
        loops++;
    }

    void leaveLoop() {
        loops--;
    }

    /** The target of {@code set}, which may be an attribute of a namespace. */
    Target setTarget() {
        return targets("=", true);
    }

    /** The target of a loop or {@code with}, up to the name or operator that follows it. */
    Target target(String end) {
        return targets(end, false);
    }

    private Target targets(String end, boolean withNamespace) {
        List<Target> targets = new ArrayList<>();
        boolean comma = false;
        while (!isTargetEnd(end)) {
            targets.add(oneTarget(withNamespace));
            if (!tokens.skipOperator(",")) {
                break;
            }
            comma = true;
        }
        if (targets.isEmpty()) {
            throw JinjaException.syntax(
                    "Expected a name to assign to but found " + tokens.current().describe(), tokens.line());
        }
        return comma ? new Target.Unpacking(targets) : targets.get(0);
    }

    private boolean isTargetEnd(String end) {
        Token token = tokens.current();
        return token.isOperator(")") || token.is(Token.Kind.BLOCK_END) || (end.equals("in") && token.isName(end));
    }

    private Target oneTarget(boolean withNamespace) {
        Token token = tokens.next();
        if (token.isOperator("(")) {
            nesting.enter(token.line());
            Target inner = tokens.current().isOperator(")") ? new Target.Unpacking(List.of()) : targets(")", false);
            tokens.expectOperator(")");
            nesting.leave();
            return inner;
        }
        if (!token.is(Token.Kind.NAME)) {
            throw JinjaException.syntax("Can't assign to " + token.describe(), token.line());
        }
        if (withNamespace && tokens.skipOperator(".")) {
            String attribute = tokens.expect(Token.Kind.NAME).text();
            return new Target.NamespaceAttribute(new Expression.Name(token.text()), attribute);
        }
        return new Target.Variable(variable(token));
    }

    /** A variable that the statement assigns to. */
    Expression.Name variable(Token name) {
        requireAssignable(name);
        if (loops > 0 && name.text().equals("loop")) {
            throw JinjaException.syntax("Can't assign to 'loop' inside of a loop", name.line());
        }
        uses.write(name.text());
        return new Expression.Name(name.text());
    }

    /** Refuses the names of constants. */
    static void requireAssignable(Token name) {
        if (CONSTANTS.contains(name.text())) {
            throw JinjaException.syntax("Can't assign to " + name.describe(), name.line());
        }
    }
}
