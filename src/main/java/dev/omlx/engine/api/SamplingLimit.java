package dev.omlx.engine.api;

/** What the numbers that say how to generate may be, whoever gives them: a request, the configuration, a command. */
public enum SamplingLimit {
    TEMPERATURE(Range.of(0, 2)),
    TOP_P(Range.above(0, 1)),
    TOP_K(Range.of(0, Integer.MAX_VALUE)),
    MIN_P(Range.of(0, 1)),
    REPETITION_PENALTY(Range.of(0.01, 100)),
    PRESENCE_PENALTY(Range.of(-2, 2)),
    FREQUENCY_PENALTY(Range.of(-2, 2)),
    LOGIT_BIAS(Range.of(-100, 100)),
    MAX_TOKENS(Range.of(1, Integer.MAX_VALUE));

    private final Range range;

    SamplingLimit(Range range) {
        this.range = range;
    }

    public Range range() {
        return range;
    }
}
