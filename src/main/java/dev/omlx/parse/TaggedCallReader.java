package dev.omlx.parse;

import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a call that is written with tags, from its name on. A closing tag ends a value only where the next parameter or
 * the end of the call follows, so that values may hold such tags.
 */
final class TaggedCallReader implements CallReader {
    private static final int MAX_NAME = 128;
    private static final int MAX_KEY = 200;
    private static final int MAX_SPACE = 1000;

    private enum State {
        NAME,
        NAME_END,
        /** Before a parameter, or the end. */
        BETWEEN,
        KEY,
        VALUE,
        /** After what may be the end of a value. */
        VALUE_END
    }

    private final TagDialect dialect;
    private final StringBuilder name = new StringBuilder();
    private final StringBuilder part = new StringBuilder();
    private final StringBuilder value = new StringBuilder();
    private final ObjectNode arguments = JsonNodeFactory.instance.objectNode();
    private State state = State.NAME;
    private String key = "";
    private @Nullable String valueIsString;
    private boolean typed;
    private boolean begun;
    private boolean whole;

    TaggedCallReader(TagDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Step accept(char c) {
        return switch (state) {
            case NAME -> name(c);
            case NAME_END -> nameEnd(c);
            case BETWEEN -> between(c);
            case KEY -> key(c);
            case VALUE -> value(c);
            case VALUE_END -> valueEnd(c);
        };
    }

    private Step name(char c) {
        if (Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == ':') {
            name.append(c);
            return name.length() > MAX_NAME ? Step.FAILED : Step.MORE;
        }
        if (name.isEmpty()) {
            return Character.isWhitespace(c) && dialect.nameEnd().isEmpty() ? Step.MORE : Step.FAILED;
        }
        state = dialect.nameEnd().isEmpty() ? State.BETWEEN : State.NAME_END;
        return accept(c);
    }

    private Step nameEnd(char c) {
        part.append(c);
        if (part.compareTo(new StringBuilder(dialect.nameEnd())) == 0) {
            return to(State.BETWEEN);
        }
        return dialect.nameEnd().startsWith(part.toString()) ? Step.MORE : Step.FAILED;
    }

    private Step between(char c) {
        if (part.isEmpty() && Character.isWhitespace(c)) {
            return Step.MORE;
        }
        part.append(c);
        return structure(Step.FAILED);
    }

    /** What follows a name or a value. */
    private Step structure(Step other) {
        String seen = part.toString().stripLeading();
        if (seen.equals(dialect.parameterOpen())) {
            begun = true;
            return to(State.KEY);
        }
        if (dialect.ends().contains(seen)) {
            begun = true;
            whole = true;
            return Step.DONE;
        }
        boolean possible = dialect.parameterOpen().startsWith(seen)
                || dialect.ends().stream().anyMatch(end -> end.startsWith(seen));
        return possible && part.length() <= MAX_SPACE ? Step.MORE : other;
    }

    private Step key(char c) {
        part.append(c);
        Matcher matcher = dialect.key().matcher(part);
        if (matcher.matches()) {
            key = matcher.group("key");
            valueIsString = dialect.key().namedGroups().containsKey("string") ? matcher.group("string") : null;
            return to(State.VALUE);
        }
        return matcher.hitEnd() && part.length() <= MAX_KEY ? Step.MORE : Step.FAILED;
    }

    private Step value(char c) {
        value.append(c);
        return c == '>' && Marks.endsWith(value, dialect.parameterClose()) ? to(State.VALUE_END) : Step.MORE;
    }

    private Step valueEnd(char c) {
        part.append(c);
        String seen = part.toString();
        Step step = structure(Step.FAILED);
        if (step == Step.FAILED) {
            // it was part of the value
            value.append(seen);
            return to(State.VALUE);
        }
        if (state == State.KEY || whole) {
            value.setLength(value.length() - dialect.parameterClose().length());
            arguments.set(key, argument(value.toString()));
            value.setLength(0);
        }
        return step;
    }

    private JsonNode argument(String text) {
        if (valueIsString != null) {
            typed = true;
            JsonNode json = valueIsString.equals("false") ? Json.read(text) : null;
            return json == null ? JsonNodeFactory.instance.stringNode(text) : json;
        }
        return JsonNodeFactory.instance.stringNode(dialect.padded() ? withoutPadding(text) : text);
    }

    private static String withoutPadding(String text) {
        String end = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return end.startsWith("\n") ? end.substring(1) : end;
    }

    private Step to(State following) {
        part.setLength(0);
        state = following;
        return Step.MORE;
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    @Override
    public boolean hasBegun() {
        return begun;
    }

    @Override
    public List<RawCall> calls() {
        return List.of(new RawCall(null, name.toString(), arguments, !typed));
    }
}
