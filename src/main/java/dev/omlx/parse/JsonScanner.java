package dev.omlx.parse;

import java.util.BitSet;

/**
 * Finds the end of a JSON object or array, char by char, and notices early where it is none. Knows nothing of the call
 * stack, so that nesting costs nothing. Lenient where models are sloppy: line breaks within strings, and numbers and
 * words of any spelling, for the real parser to judge.
 */
final class JsonScanner {
    /** Deeper nesting is taken for a fault. */
    static final int MAX_DEPTH = 200;

    enum Step {
        MORE,
        /** This char was the last. */
        DONE,
        /** This char cannot stand here. */
        FAILED
    }

    private enum Expect {
        VALUE,
        VALUE_OR_END,
        KEY,
        KEY_OR_END,
        COLON,
        COMMA_OR_END,
        STRING,
        ESCAPED,
        /** Within a number or a word such as true. */
        WORD
    }

    private Expect expect = Expect.VALUE;
    private boolean stringIsKey;
    private int depth;
    private boolean hasKey;
    /** By depth, whether an object is open there, else an array. */
    private final BitSet objects = new BitSet();

    /** Whether a first key was seen: then it is hardly prose. */
    boolean hasKey() {
        return hasKey;
    }

    Step accept(char c) {
        switch (expect) {
            case STRING -> {
                if (c == '\\') {
                    expect = Expect.ESCAPED;
                } else if (c == '"') {
                    hasKey |= stringIsKey;
                    expect = stringIsKey ? Expect.COLON : Expect.COMMA_OR_END;
                }
                return Step.MORE;
            }
            case ESCAPED -> {
                expect = Expect.STRING;
                return "\"\\/bfnrtu".indexOf(c) < 0 ? Step.FAILED : Step.MORE;
            }
            case WORD -> {
                if (isWord(c)) {
                    return Step.MORE;
                }
                expect = Expect.COMMA_OR_END;
            }
            case VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, COMMA_OR_END -> {}
        }
        return isSpace(c) ? Step.MORE : structure(c);
    }

    private Step structure(char c) {
        return switch (expect) {
            case VALUE -> value(c);
            case VALUE_OR_END -> c == ']' ? close() : value(c);
            case KEY -> key(c);
            case KEY_OR_END -> c == '}' ? close() : key(c);
            case COLON -> c == ':' ? next(Expect.VALUE) : Step.FAILED;
            case COMMA_OR_END -> {
                boolean object = objects.get(depth);
                if (c == ',') {
                    yield next(object ? Expect.KEY : Expect.VALUE);
                }
                yield c == (object ? '}' : ']') ? close() : Step.FAILED;
            }
            case STRING, ESCAPED, WORD -> throw new AssertionError("handled before");
        };
    }

    private Step value(char c) {
        if (c == '{' || c == '[') {
            if (++depth > MAX_DEPTH) {
                return Step.FAILED;
            }
            objects.set(depth, c == '{');
            return next(c == '{' ? Expect.KEY_OR_END : Expect.VALUE_OR_END);
        }
        if (depth == 0) {
            return Step.FAILED;
        }
        if (c == '"') {
            stringIsKey = false;
            return next(Expect.STRING);
        }
        return isWord(c) ? next(Expect.WORD) : Step.FAILED;
    }

    private Step key(char c) {
        stringIsKey = true;
        return c == '"' ? next(Expect.STRING) : Step.FAILED;
    }

    private Step close() {
        depth--;
        expect = Expect.COMMA_OR_END;
        return depth == 0 ? Step.DONE : Step.MORE;
    }

    private Step next(Expect following) {
        expect = following;
        return Step.MORE;
    }

    private static boolean isWord(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.';
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
