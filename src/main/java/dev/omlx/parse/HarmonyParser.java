package dev.omlx.parse;

import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the messages of gpt-oss. Each has a header, with the channel and perhaps the function that it is for: {@code
 * <|channel|>analysis<|message|>thoughts<|end|><|start|>assistant<|channel|>final<|message|>answer<|return|>}. The
 * {@code analysis} channel is reasoning; messages for nobody on others are text.
 */
final class HarmonyParser implements OutputParser {
    private static final int MAX_HEADER = 300;
    private static final String FUNCTIONS = "functions.";

    private static final Pattern HEADER = Pattern.compile("\\s{0,8}(?:<\\|start\\|>)?(?:assistant)?"
            + "(?:\\s{0,8}to=(?<to>[\\w.-]{1,160}))?"
            + "(?:\\s{0,8}<\\|channel\\|>\\s{0,8}(?<channel>\\w{1,32})(?:\\s{0,8}to=(?<recipient>[\\w.-]{1,160}))?"
            + "\\s{0,8}(?:<\\|constrain\\|>)?\\w{0,32})?\\s{0,8}<\\|message\\|>");

    /** What ends a message; the latter two begin the next header. */
    private static final List<String> ENDS = List.of("<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|channel|>");

    private static final int CLOSING_ENDS = 3;

    private enum Kind {
        HEADER,
        REASONING,
        TEXT,
        CALL,
        /** What came instead of a header: text, as is all that follows. */
        UNFRAMED
    }

    private final DeclaredTools tools;
    private final CallIds ids;
    private final StringBuilder held = new StringBuilder();
    private Kind kind = Kind.HEADER;
    private String function = "";
    private int start;
    private int at;

    HarmonyParser(DeclaredTools tools, CallIds ids) {
        this.tools = tools;
        this.ids = ids;
    }

    static boolean isIn(String template) {
        return template.contains("<|channel|>analysis") || template.contains("<|channel|>final");
    }

    @Override
    public void feed(String text, Consumer<Piece> out) {
        held.append(text);
        boolean enough = true;
        while (enough && at < held.length()) {
            enough = switch (kind) {
                case HEADER -> header();
                case REASONING, TEXT, CALL -> body(out);
                case UNFRAMED -> ++at > 0;
            };
        }
        if (kind != Kind.HEADER && kind != Kind.CALL) {
            show(at, out);
        }
    }

    @Override
    public void finish(Consumer<Piece> out) {
        if (kind == Kind.CALL) {
            call(held.length(), out);
        } else if (kind != Kind.HEADER || held.indexOf("<|") < 0) {
            show(held.length(), out);
        }
    }

    private boolean header() {
        at++;
        Matcher matcher = HEADER.matcher(held).region(0, at);
        if (matcher.matches()) {
            String to = matcher.group("to") == null ? matcher.group("recipient") : matcher.group("to");
            kind = kind(matcher.group("channel"), to);
            skip(at);
        } else if (!matcher.hitEnd() || at > MAX_HEADER) {
            kind = Kind.UNFRAMED;
        }
        return true;
    }

    private Kind kind(@Nullable String channel, @Nullable String to) {
        if (to != null) {
            function = to.startsWith(FUNCTIONS) ? to.substring(FUNCTIONS.length()) : to;
            return Kind.CALL;
        }
        return "analysis".equals(channel) ? Kind.REASONING : Kind.TEXT;
    }

    private boolean body(Consumer<Piece> out) {
        boolean part = false;
        for (int i = 0; i < ENDS.size(); i++) {
            Marks.Match match = Marks.match(held, at, ENDS.get(i));
            if (match == Marks.Match.WHOLE) {
                end(out);
                skip(i < CLOSING_ENDS ? ENDS.get(i).length() : 0);
                kind = Kind.HEADER;
                return true;
            }
            part |= match == Marks.Match.PART;
        }
        if (!part) {
            at++;
        }
        return !part;
    }

    private void end(Consumer<Piece> out) {
        if (kind == Kind.CALL) {
            call(at, out);
        } else {
            show(at, out);
        }
    }

    /** A call that cannot be run is text. */
    private void call(int length, Consumer<Piece> out) {
        JsonNode json = length > ToolCallParser.MAX_CALL ? null : Json.read(held.substring(0, length));
        String arguments = json == null ? null : tools.arguments(new RawCall(null, function, json));
        if (arguments == null) {
            show(length, out);
        } else {
            skip(length);
            out.accept(new Piece.ToolCall(ids.next(null), function, arguments));
        }
    }

    private void show(int length, Consumer<Piece> out) {
        if (length > 0) {
            String text = held.substring(0, length);
            out.accept(kind == Kind.REASONING ? new Piece.Reasoning(start, text) : new Piece.Text(start, text));
            skip(length);
        }
    }

    private void skip(int length) {
        held.delete(0, length);
        start += length;
        at = 0;
    }
}
