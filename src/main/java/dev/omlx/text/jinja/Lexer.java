package dev.omlx.text.jinja;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Splits a template into tokens, with the white space control of {@code trim_blocks} and {@code lstrip_blocks}: a block
 * tag or comment takes the line break after it and the indentation in front of it along, unless a {@code +} or {@code -}
 * at the tag says otherwise.
 */
final class Lexer {
    /** Longer ones first. */
    private static final List<String> OPERATORS = List.of(
            "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<",
            "=", ".", ":", "|", ",", ";");

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private final Deque<Character> brackets = new ArrayDeque<>();
    private int at;
    private int line = 1;

    private Lexer(String source) {
        this.source = source;
    }

    /** Line breaks of all kinds become {@code \n}; one at the very end is dropped. */
    static List<Token> tokenize(String source) {
        String normal = source.replace("\r\n", "\n").replace('\r', '\n');
        Lexer lexer = new Lexer(normal.endsWith("\n") ? normal.substring(0, normal.length() - 1) : normal);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        while (at < source.length()) {
            int tag = nextTag();
            char kind = tag < source.length() ? source.charAt(tag + 1) : 0;
            char sign = kind == 0 ? '+' : sign(tag + 2);
            String text = source.substring(at, tag);
            String kept = stripEnd(text, sign, kind != '{');
            if (!kept.isEmpty()) {
                add(Token.Kind.DATA, kept);
            }
            advance(tag);
            int raw = kind == '%' ? rawBegin() : -1;
            if (raw >= 0) {
                advance(raw);
                raw();
            } else if (kind != 0) {
                advance(sign == 0 ? tag + 2 : tag + 3);
                tag(kind);
            }
        }
        add(Token.Kind.END, "");
    }

    private void tag(char kind) {
        switch (kind) {
            case '#' -> comment();
            case '%' -> expression(Token.Kind.BLOCK_BEGIN, Token.Kind.BLOCK_END, "%}");
            default -> expression(Token.Kind.VARIABLE_BEGIN, Token.Kind.VARIABLE_END, "}}");
        }
    }

    /** The next <code>{{</code>, <code>{%</code> or <code>{#</code>, or the end. */
    private int nextTag() {
        for (int i = source.indexOf('{', at); i >= 0 && i + 1 < source.length(); i = source.indexOf('{', i + 1)) {
            char c = source.charAt(i + 1);
            if (c == '{' || c == '%' || c == '#') {
                return i;
            }
        }
        return source.length();
    }

    private char sign(int where) {
        char c = where < source.length() ? source.charAt(where) : 0;
        return c == '-' || c == '+' ? c : 0;
    }

    /** The text in front of a tag, without what the tag strips. */
    private String stripEnd(String text, char sign, boolean strippable) {
        if (sign == '-') {
            return PythonChars.stripTrailing(text, PythonChars::isSpace);
        }
        if (sign == '+' || !strippable) {
            return text;
        }
        int lineStart = text.lastIndexOf('\n') + 1;
        boolean startsLine = lineStart > 0 || at == 0 || source.charAt(at - 1) == '\n';
        boolean blank = PythonChars.skipSpaces(text, lineStart) == text.length();
        return startsLine && blank ? text.substring(0, lineStart) : text;
    }

    /** Where a <code>{% raw %}</code> at the current position ends, or -1. */
    private int rawBegin() {
        int i = named("raw", at);
        if (i >= 0 && source.startsWith("-%}", i)) {
            return PythonChars.skipSpaces(source, i + 3);
        }
        return i >= 0 && source.startsWith("%}", i) ? i + 2 : -1;
    }

    /** Where the name of a tag that starts at a position ends, with the space after it, or -1 if it's another tag. */
    private int named(String name, int tag) {
        int i = PythonChars.skipSpaces(source, sign(tag + 2) == 0 ? tag + 2 : tag + 3);
        return source.startsWith(name, i) ? PythonChars.skipSpaces(source, i + name.length()) : -1;
    }

    private void raw() {
        for (int tag = source.indexOf("{%", at); tag >= 0; tag = source.indexOf("{%", tag + 1)) {
            int name = named("endraw", tag);
            int end = name < 0 ? -1 : tagEnd(name, "%}", true);
            if (end >= 0) {
                String kept = stripEnd(source.substring(at, tag), sign(tag + 2), true);
                if (!kept.isEmpty()) {
                    add(Token.Kind.DATA, kept);
                }
                advance(end);
                return;
            }
        }
        throw JinjaException.syntax("The raw block has no end", line);
    }

    private void comment() {
        int close = source.indexOf("#}", at);
        if (close < 0) {
            throw JinjaException.syntax("The comment has no end", line);
        }
        boolean signed = close > at && (source.charAt(close - 1) == '-' || source.charAt(close - 1) == '+');
        advance(tagEnd(signed ? close - 1 : close, "#}", true));
    }

    /**
     * Where a tag's end at a position ends, with the white space that it takes along, or -1 if there is none.
     *
     * @param block whether the end takes a line break along and may have a {@code +}
     */
    private int tagEnd(int where, String close, boolean block) {
        if (source.startsWith("-" + close, where)) {
            return PythonChars.skipSpaces(source, where + 3);
        }
        if (block && source.startsWith("+" + close, where)) {
            return where + 3;
        }
        if (!source.startsWith(close, where)) {
            return -1;
        }
        boolean lineBreak = block && where + 2 < source.length() && source.charAt(where + 2) == '\n';
        return where + (lineBreak ? 3 : 2);
    }

    private void expression(Token.Kind begin, Token.Kind end, String close) {
        add(begin, "");
        while (at < source.length()) {
            int closed = brackets.isEmpty() ? tagEnd(at, close, end == Token.Kind.BLOCK_END) : -1;
            if (closed >= 0) {
                add(end, "");
                advance(closed);
                return;
            }
            token();
        }
    }

    private void token() {
        int c = source.codePointAt(at);
        if (PythonChars.isSpace(c)) {
            advance(PythonChars.skipSpaces(source, at));
        } else if (c >= '0' && c <= '9') {
            number();
        } else if (PythonChars.isIdentifierPart(c)) {
            name(c);
        } else if (c == '\'' || c == '"') {
            string((char) c);
        } else {
            operator();
        }
    }

    private void number() {
        NumberScanner scanner = new NumberScanner(source, at);
        boolean afterDot = at > 0 && source.charAt(at - 1) == '.';
        int end = afterDot ? -1 : scanner.floatEnd();
        Token.Kind kind = end < 0 ? Token.Kind.INTEGER : Token.Kind.FLOAT;
        end = end < 0 ? scanner.integerEnd() : end;
        add(kind, source.substring(at, end).replace("_", ""));
        advance(end);
    }

    private void name(int first) {
        if (!PythonChars.isIdentifierStart(first)) {
            throw unexpected(first);
        }
        int end = at;
        while (end < source.length() && PythonChars.isIdentifierPart(source.codePointAt(end))) {
            end += Character.charCount(source.codePointAt(end));
        }
        add(Token.Kind.NAME, source.substring(at, end));
        advance(end);
    }

    private void string(char quote) {
        int end = at + 1;
        while (end < source.length() && source.charAt(end) != quote) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= source.length()) {
            throw JinjaException.syntax("The string has no end", line);
        }
        add(Token.Kind.STRING, StringLiteral.unescape(source.substring(at + 1, end), line));
        advance(end + 1);
    }

    private void operator() {
        for (String operator : OPERATORS) {
            if (source.startsWith(operator, at)) {
                balance(operator.charAt(0));
                add(Token.Kind.OPERATOR, operator);
                advance(at + operator.length());
                return;
            }
        }
        throw unexpected(source.codePointAt(at));
    }

    private void balance(char c) {
        switch (c) {
            case '(' -> brackets.push(')');
            case '[' -> brackets.push(']');
            case '{' -> brackets.push('}');
            case ')', ']', '}' -> {
                if (brackets.isEmpty() || brackets.pop() != c) {
                    throw unexpected(c);
                }
            }
            default -> {}
        }
    }

    private JinjaException unexpected(int c) {
        return JinjaException.syntax("Unexpected character '" + Character.toString(c) + "'", line);
    }

    private void add(Token.Kind kind, String text) {
        tokens.add(new Token(kind, text, line));
    }

    private void advance(int to) {
        for (int i = at; i < to; i++) {
            if (source.charAt(i) == '\n') {
                line++;
            }
        }
        at = to;
    }
}
