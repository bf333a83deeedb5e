package dev.omlx.parse;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a call that no mark announces: JSON that begins like a call, and behind which stand other calls at most.
 */
final class BareCallReader implements CallReader {
    private static final int MAX_BEGINNING = 100;

    /** Other JSON is an answer, which is not to wait for its end. */
    private static final Pattern BEGINNING = Pattern.compile(
            "\\[?\\s{0,20}\\{\\s{0,20}\"(name|tool_name|function|arguments|parameters|type|id)\"\\s{0,20}:");

    private final JsonCallReader json;
    private final StringBuilder beginning = new StringBuilder();
    private boolean likely;
    private boolean whole;

    BareCallReader(DeclaredTools tools) {
        this.json = JsonCallReader.ofCalls(tools);
    }

    @Override
    public Step accept(char c) {
        if (whole) {
            return switch (c) {
                case ';' -> Step.DONE;
                // another call, or a mark
                case '{', '[', '<' -> Step.DONE_BEFORE;
                default -> Character.isWhitespace(c) ? Step.MORE : Step.FAILED;
            };
        }
        if (!likely) {
            beginning.append(c);
            Matcher matcher = BEGINNING.matcher(beginning);
            likely = matcher.matches();
            if (!likely && (!matcher.hitEnd() || beginning.length() > MAX_BEGINNING)) {
                return Step.FAILED;
            }
        }
        Step step = json.accept(c);
        if (step == Step.DONE) {
            whole = true;
            return Step.MORE;
        }
        return step;
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    @Override
    public boolean hasBegun() {
        return false;
    }

    @Override
    public List<RawCall> calls() {
        return json.calls();
    }
}
