package dev.omlx.parse;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads {@code call:name{key:value,…}}, whose strings stand between marks of their own instead of quotes. */
final class GemmaCallReader implements CallReader {
    private static final int MAX_HEADER = 200;
    private static final Pattern HEADER = Pattern.compile("call:(?<name>[\\w.-]{1,128})\\s{0,8}");

    private final String quote;
    private final StringBuilder head = new StringBuilder();
    private final StringBuilder body = new StringBuilder();
    private @Nullable String name;
    private int depth;
    private boolean quoted;
    /** Where the last quote ended, so that no part of it is taken for another one. */
    private int afterQuote;

    private boolean whole;

    /** @param quote what stands around strings */
    GemmaCallReader(String quote) {
        this.quote = quote;
    }

    @Override
    public Step accept(char c) {
        return name == null ? head(c) : body(c);
    }

    private Step head(char c) {
        if (head.isEmpty() && Character.isWhitespace(c)) {
            return Step.MORE;
        }
        Matcher matcher = HEADER.matcher(head);
        if (c == '{' && matcher.matches()) {
            name = matcher.group("name");
            return body(c);
        }
        head.append(c);
        matcher.reset();
        boolean possible = matcher.matches() || matcher.hitEnd();
        return possible && head.length() <= MAX_HEADER ? Step.MORE : Step.FAILED;
    }

    private Step body(char c) {
        body.append(c);
        if (body.length() - afterQuote >= quote.length() && Marks.endsWith(body, quote)) {
            quoted = !quoted;
            afterQuote = body.length();
            return Step.MORE;
        }
        if (quoted) {
            return Step.MORE;
        }
        if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
        }
        if (depth > JsonScanner.MAX_DEPTH) {
            return Step.FAILED;
        }
        whole = depth == 0;
        return whole ? Step.DONE : Step.MORE;
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    @Override
    public boolean hasBegun() {
        return name != null;
    }

    @Override
    public List<RawCall> calls() {
        ObjectNode arguments = new GemmaValues(body.toString(), quote).object();
        return name == null || arguments == null ? List.of() : List.of(new RawCall(null, name, arguments));
    }
}
