package dev.omlx.text.jinja;

import java.util.List;

/** Reads tokens one by one; the last one, {@link Token.Kind#END}, stays. */
final class TokenStream {
    private final List<Token> tokens;
    private int at;

    TokenStream(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token current() {
        return tokens.get(at);
    }

    Token peek() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    Token next() {
        Token token = current();
        if (at + 1 < tokens.size()) {
            at++;
        }
        return token;
    }

    int line() {
        return current().line();
    }

    boolean skipName(String name) {
        return skipIf(current().isName(name));
    }

    boolean skipOperator(String operator) {
        return skipIf(current().isOperator(operator));
    }

    private boolean skipIf(boolean matches) {
        if (matches) {
            next();
        }
        return matches;
    }

    Token expect(Token.Kind kind) {
        if (!current().is(kind)) {
            throw unexpected(kind.description());
        }
        return next();
    }

    void expectName(String name) {
        if (!skipName(name)) {
            throw unexpected("'" + name + "'");
        }
    }

    void expectOperator(String operator) {
        if (!skipOperator(operator)) {
            throw unexpected("'" + operator + "'");
        }
    }

    private JinjaException unexpected(String expected) {
        return JinjaException.syntax(
                "Expected " + expected + " but found " + current().describe(), line());
    }
}
