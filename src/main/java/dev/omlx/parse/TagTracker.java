package dev.omlx.parse;

/** Follows thoughts between two marks, at the beginning of an answer. */
final class TagTracker implements ReasoningTracker {
    private final String open;
    private final MarkSearch close;
    private State state;
    private int opened;

    /** @param begun whether the prompt has begun the thinking */
    TagTracker(ReasoningFormat format, boolean begun) {
        this.open = format.open();
        this.close = new MarkSearch(format.close());
        this.state = begun ? State.THINKING : State.BEFORE;
    }

    @Override
    public void feed(String text) {
        for (int i = 0; i < text.length() && state != State.AFTER; i++) {
            state = next(text.charAt(i));
        }
    }

    private State next(char c) {
        if (state == State.THINKING) {
            return close.found(c) ? State.AFTER : State.THINKING;
        }
        if (opened == 0 && Character.isWhitespace(c)) {
            return State.BEFORE;
        }
        if (open.charAt(opened) != c) {
            return State.AFTER;
        }
        return ++opened == open.length() ? State.THINKING : State.BEFORE;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public int endMatched() {
        return close.matched();
    }
}
