package dev.omlx.sched;

/**
 * The size of a step, as far as its cost depends on it.
 *
 * @param decodeRows sequences that compute one token
 * @param decodeContext positions that those attend to, summed over the rows
 * @param prefillTokens tokens in chunks of prefill
 * @param prefillContext positions that those attend to, summed over the tokens
 */
public record StepShape(int decodeRows, long decodeContext, int prefillTokens, long prefillContext) {
    public static final StepShape EMPTY = new StepShape(0, 0, 0, 0);

    /** With one more row that attends to that many positions. */
    public StepShape plusDecode(int context) {
        return new StepShape(decodeRows + 1, decodeContext + context, prefillTokens, prefillContext);
    }

    /** With that many more tokens of prefill, the first at position {@code start}. */
    public StepShape plusPrefill(int start, int tokens) {
        long attended = (long) tokens * start + (long) tokens * (tokens + 1) / 2;
        return new StepShape(decodeRows, decodeContext, prefillTokens + tokens, prefillContext + attended);
    }

    /** Tokens that the step computes. */
    public int tokens() {
        return decodeRows + prefillTokens;
    }
}
