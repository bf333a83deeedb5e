package dev.omlx.sched;

/**
 * What the scheduler knows of a sequence before it starts.
 *
 * @param id for messages; unique among live sequences
 * @param model key of the model that computes it
 * @param priority its class
 * @param arrivalNanos when it arrived, on the clock that {@link Scheduler#plan} is given
 * @param promptTokens length of the prompt, at least 1
 * @param expectedCachedTokens prompt tokens that a prefix cache will probably supply; orders the queue, nothing more
 * @param maxNewTokens most tokens to generate; 0 computes the prompt alone
 */
public record SequenceSpec(
        String id,
        String model,
        Priority priority,
        long arrivalNanos,
        int promptTokens,
        int expectedCachedTokens,
        int maxNewTokens) {

    public SequenceSpec {
        if (promptTokens < 1) {
            throw new IllegalArgumentException(id + ": a prompt has at least one token, not " + promptTokens);
        }
        if (expectedCachedTokens < 0 || expectedCachedTokens >= promptTokens) {
            throw new IllegalArgumentException(id + ": " + expectedCachedTokens + " cached of " + promptTokens
                    + " prompt tokens; the last one is always computed");
        }
        if (maxNewTokens < 0) {
            throw new IllegalArgumentException(id + ": cannot generate " + maxNewTokens + " tokens");
        }
    }
}
