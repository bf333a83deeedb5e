package dev.omlx.parse;

import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Takes the thoughts off the beginning of an answer; the rest goes to another parser. Only the beginning is looked at,
 * so that a mark in the text of the answer, or in a call's arguments, stays what it is. White space around thoughts is
 * dropped.
 *
 * <p>Where the prompt has begun the thinking and the model ends it before it thought anything, it may go on thinking and
 * end it once more. What follows is therefore held back for some characters, and is thought if a second end follows.
 */
final class ReasoningParser implements OutputParser {
    /** How many characters are held back after thoughts that were empty. */
    static final int PROBATION = 1000;

    /** How much white space is held back in case thoughts end after it. */
    private static final int MAX_SPACE = 1000;

    private enum State {
        /** White space at most so far. */
        START,
        /** Within thoughts, white space at most so far. */
        OPENED,
        THINKING,
        /** The prompt began thoughts, and they were empty. */
        PROBATION,
        /** After thoughts, white space at most so far. */
        CLOSED,
        /** The rest is not ours. */
        PASSED
    }

    private final ReasoningFormat format;
    private final boolean begunByPrompt;
    private final IntFunction<OutputParser> rest;
    private final StringBuilder held = new StringBuilder();
    private State state;
    private OutputParser next = OutputParser.plain();
    /** Where {@code held} begins in the answer. */
    private int start;
    /** How far {@code held} has been looked at. */
    private int at;
    /** How much of {@code held} is thought for certain. */
    private int certain;

    /**
     * @param begunByPrompt whether the prompt has begun the thinking
     * @param rest parses what follows, from an offset on
     */
    ReasoningParser(ReasoningFormat format, boolean begunByPrompt, IntFunction<OutputParser> rest) {
        this.format = format;
        this.begunByPrompt = begunByPrompt;
        this.rest = rest;
        this.state = begunByPrompt ? State.OPENED : State.START;
    }

    @Override
    public void feed(String text, Consumer<Piece> out) {
        if (state == State.PASSED) {
            next.feed(text, out);
            return;
        }
        held.append(text);
        boolean enough = true;
        while (enough && state != State.PASSED && at < held.length()) {
            enough = switch (state) {
                case START -> start(out);
                case OPENED -> open();
                case THINKING -> think(out);
                case PROBATION -> probe(out);
                case CLOSED -> close(out);
                case PASSED -> false;
            };
        }
        if (state == State.THINKING) {
            show(certain, out);
        }
    }

    @Override
    public void finish(Consumer<Piece> out) {
        switch (state) {
            case START, PROBATION -> pass(out);
            case THINKING -> show(held.length(), out);
            case OPENED, CLOSED, PASSED -> {}
        }
        next.finish(out);
    }

    private boolean start(Consumer<Piece> out) {
        if (Character.isWhitespace(held.charAt(at))) {
            at++;
            return true;
        }
        return switch (Marks.match(held, at, format.open())) {
            case WHOLE -> skipTo(at + format.open().length(), State.OPENED);
            case PART -> false;
            case NONE -> pass(out);
        };
    }

    private boolean open() {
        if (Character.isWhitespace(held.charAt(at))) {
            return skipTo(at + 1, State.OPENED);
        }
        Marks.Match close = Marks.match(held, at, format.close());
        if (close == Marks.Match.WHOLE) {
            return skipTo(at + format.close().length(), begunByPrompt ? State.PROBATION : State.CLOSED);
        }
        // some models repeat what the prompt has begun
        Marks.Match again = Marks.match(held, at, format.open());
        if (again == Marks.Match.WHOLE) {
            return skipTo(at + format.open().length(), State.OPENED);
        }
        if (close == Marks.Match.PART || again == Marks.Match.PART) {
            return false;
        }
        state = State.THINKING;
        return true;
    }

    private boolean think(Consumer<Piece> out) {
        return switch (Marks.match(held, at, format.close())) {
            case WHOLE -> {
                int end = at;
                int shown = certain;
                show(certain, out);
                yield skipTo(end - shown + format.close().length(), State.CLOSED);
            }
            case PART -> false;
            case NONE -> {
                at++;
                if (!Character.isWhitespace(held.charAt(at - 1)) || at - certain > MAX_SPACE) {
                    certain = at;
                }
                yield true;
            }
        };
    }

    private boolean probe(Consumer<Piece> out) {
        return switch (Marks.match(held, at, format.close())) {
            case WHOLE -> {
                int end = at;
                int leading = leadingSpace(end);
                skipTo(leading, State.PROBATION);
                int length = end - leading;
                int trailing = trailingSpace(length);
                show(length - trailing, out);
                yield skipTo(trailing + format.close().length(), State.CLOSED);
            }
            case PART -> false;
            case NONE -> ++at < PROBATION || pass(out);
        };
    }

    private boolean close(Consumer<Piece> out) {
        return Character.isWhitespace(held.charAt(at)) ? skipTo(at + 1, State.CLOSED) : pass(out);
    }

    private int leadingSpace(int end) {
        int space = 0;
        while (space < end && Character.isWhitespace(held.charAt(space))) {
            space++;
        }
        return space;
    }

    private int trailingSpace(int end) {
        int from = end;
        while (from > 0 && Character.isWhitespace(held.charAt(from - 1))) {
            from--;
        }
        return end - from;
    }

    private void show(int length, Consumer<Piece> out) {
        if (length > 0) {
            out.accept(new Piece.Reasoning(start, held.substring(0, length)));
            held.delete(0, length);
            start += length;
            at = Math.max(0, at - length);
        }
        certain = 0;
    }

    /** Drops what stands before a place, and goes on from there. */
    private boolean skipTo(int place, State following) {
        held.delete(0, place);
        start += place;
        at = 0;
        certain = 0;
        state = following;
        return true;
    }

    /** Gives all that is held, and what follows, to the other parser; white space after thoughts is not part of it. */
    private boolean pass(Consumer<Piece> out) {
        if (state == State.PROBATION) {
            skipTo(leadingSpace(held.length()), State.PROBATION);
        }
        state = State.PASSED;
        next = rest.apply(start);
        next.feed(held.toString(), out);
        held.setLength(0);
        return true;
    }
}
