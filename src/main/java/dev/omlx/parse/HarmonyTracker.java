package dev.omlx.parse;

/** Follows the messages of gpt-oss, several of which may be thoughts. */
final class HarmonyTracker implements ReasoningTracker {
    /** Ends a message of thoughts. */
    static final String END = "<|end|>";

    private static final String HEADER_END = "<|message|>";
    private static final String THOUGHTS = "<|channel|>analysis";
    private static final String RECIPIENT = " to=";
    private static final int MAX_HEADER = 300;

    private final StringBuilder header = new StringBuilder();
    private final MarkSearch end = new MarkSearch(END);
    private State state = State.BEFORE;

    @Override
    public void feed(String text) {
        for (int i = 0; i < text.length(); i++) {
            state = next(text.charAt(i));
        }
    }

    private State next(char c) {
        if (state != State.BEFORE) {
            return end.found(c) ? State.BEFORE : state;
        }
        header.append(c);
        if (!Marks.endsWith(header, HEADER_END)) {
            return header.length() > MAX_HEADER ? State.AFTER : State.BEFORE;
        }
        boolean thoughts = header.indexOf(THOUGHTS) >= 0 && header.indexOf(RECIPIENT) < 0;
        header.setLength(0);
        return thoughts ? State.THINKING : State.AFTER;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public int endMatched() {
        return state == State.THINKING ? end.matched() : 0;
    }
}
