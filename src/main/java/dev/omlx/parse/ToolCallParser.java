package dev.omlx.parse;

import dev.omlx.parse.ToolSyntax.Opener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds tool calls in text. Held back are only white space, what may become a mark, and a call as long as it can still
 * be one. A call comes out when it is whole and can be run. What began as a call and is none comes out as text without
 * its marks; a mark in prose is text like any other.
 */
final class ToolCallParser implements OutputParser {
    /** A longer call is taken for text. */
    static final int MAX_CALL = 1 << 20;

    /** How much white space is held back in case a call follows. */
    private static final int MAX_SPACE = 1000;

    private final ToolSyntax syntax;
    private final DeclaredTools tools;
    private final CallIds ids;
    private final StringBuilder held = new StringBuilder();
    /** Where {@code held} begins in the answer. */
    private int start;
    /** How much of {@code held} is text for certain; white space may follow. */
    private int certain;
    /** How far {@code held} has been looked at. */
    private int at;

    private @Nullable CallReader reader;
    private int markAt;
    private int callAt;
    private boolean mayBeBare = true;
    /** No text since the last call. */
    private boolean afterCall;
    /** The closing mark of what was no call is still to come. */
    private boolean afterFailure;

    /** @param start where in the answer the text begins */
    ToolCallParser(ToolSyntax syntax, DeclaredTools tools, CallIds ids, int start) {
        this.syntax = syntax;
        this.tools = tools;
        this.ids = ids;
        this.start = start;
    }

    @Override
    public void feed(String text, Consumer<Piece> out) {
        held.append(text);
        boolean enough = true;
        while (enough && at < held.length()) {
            enough = reader == null ? scan(out) : read(reader, out);
        }
        show(certain, out);
    }

    @Override
    public void finish(Consumer<Piece> out) {
        if (reader != null && reader.isWhole()) {
            end(reader, out);
        } else if (reader != null) {
            // cut: the marks are not for the user
            dropMarks(reader, out);
            reader = null;
        } else if ((afterCall || afterFailure) && isRestOfMarkup()) {
            show(certain, out);
            return;
        }
        show(held.length(), out);
    }

    /** Looks at one place in text; false if more is needed. */
    private boolean scan(Consumer<Piece> out) {
        char c = held.charAt(at);
        if (Character.isWhitespace(c)) {
            at++;
            if (at - certain > MAX_SPACE) {
                certain = at;
            }
            return true;
        }
        boolean part = false;
        for (Opener opener : syntax.openers()) {
            Marks.Match match = Marks.match(held, at, opener.mark());
            if (match == Marks.Match.WHOLE) {
                open(opener.reader().apply(tools), opener.mark().length());
                return true;
            }
            part |= match == Marks.Match.PART;
        }
        for (String closer : afterCall || afterFailure ? syntax.closers() : List.<String>of()) {
            Marks.Match match = Marks.match(held, at, closer);
            if (match == Marks.Match.WHOLE) {
                show(afterCall ? certain : at, out);
                skip(at + closer.length());
                afterFailure = false;
                return true;
            }
            part |= match == Marks.Match.PART;
        }
        if (part) {
            return false;
        }
        if (mayBeBare && (c == '{' || c == '[')) {
            open(new BareCallReader(tools), 0);
            return true;
        }
        certain = ++at;
        mayBeBare = false;
        afterCall = false;
        return true;
    }

    private void open(CallReader opened, int markLength) {
        reader = opened;
        markAt = at;
        callAt = at + markLength;
        at = callAt;
    }

    /** Gives one char to the reader. */
    private boolean read(CallReader current, Consumer<Piece> out) {
        switch (current.accept(held.charAt(at))) {
            case MORE -> {
                if (++at - callAt > MAX_CALL) {
                    fail(current, out);
                }
            }
            case DONE -> {
                at++;
                end(current, out);
            }
            case DONE_BEFORE -> end(current, out);
            case FAILED -> fail(current, out);
        }
        return true;
    }

    /** What was read is whole. */
    private void end(CallReader whole, Consumer<Piece> out) {
        List<Piece.ToolCall> calls = runnable(whole.calls());
        if (calls.isEmpty()) {
            fail(whole, out);
            return;
        }
        reader = null;
        show(certain, out);
        skip(at);
        calls.forEach(out);
        afterCall = true;
        mayBeBare = true;
    }

    private List<Piece.ToolCall> runnable(List<RawCall> raw) {
        List<Piece.ToolCall> calls = new ArrayList<>(raw.size());
        for (RawCall call : raw) {
            String arguments = tools.arguments(call);
            if (arguments != null) {
                calls.add(new Piece.ToolCall(ids.next(call.id()), call.name(), arguments));
            }
        }
        return calls;
    }

    /** What was read is no call. It is not searched again, for what looks like calls within is not one either. */
    private void fail(CallReader failed, Consumer<Piece> out) {
        reader = null;
        if (failed.hasBegun()) {
            afterFailure = true;
            int read = at - callAt - failed.marks();
            dropMarks(failed, out);
            at = read;
            certain = at;
        } else {
            at = Math.max(callAt, markAt + 1);
            certain = at;
        }
        mayBeBare = false;
    }

    /** Shows the text before a call, and takes the call's marks away. */
    private void dropMarks(CallReader call, Consumer<Piece> out) {
        int length = callAt - markAt + call.marks();
        show(markAt, out);
        skip(length);
    }

    private boolean isRestOfMarkup() {
        String rest = held.substring(certain).strip();
        Predicate<String> begins = mark -> mark.startsWith(rest);
        return syntax.closers().stream().anyMatch(begins)
                || syntax.openers().stream().map(Opener::mark).anyMatch(begins);
    }

    private void show(int length, Consumer<Piece> out) {
        if (length > 0) {
            out.accept(new Piece.Text(start, held.substring(0, length)));
            skip(length);
        }
    }

    /** Drops what stands before a place. */
    private void skip(int place) {
        held.delete(0, place);
        start += place;
        at = Math.max(0, at - place);
        markAt -= place;
        callAt -= place;
        certain = Math.max(0, certain - place);
    }
}
