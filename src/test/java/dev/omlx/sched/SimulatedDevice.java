package dev.omlx.sched;

import java.util.Random;

/**
 * What steps cost on an imagined machine: reading the weights or multiplying, whichever takes longer, and attention.
 *
 * @param overhead nanoseconds of any step
 * @param weights nanoseconds to read the weights
 * @param token nanoseconds to multiply one token
 * @param row nanoseconds that each sequence adds
 * @param decodeContext nanoseconds for each position that a decoding row attends to
 * @param prefillContext nanoseconds for each position that a token of prefill attends to
 */
record SimulatedDevice(
        double overhead, double weights, double token, double row, double decodeContext, double prefillContext) {
    /** A 4-bit model of 4 billion weights on a fast Mac: 8 ms a step, 1,700 tokens of prefill a second. */
    static final SimulatedDevice FAST = new SimulatedDevice(0.5e6, 7.5e6, 0.58e6, 0.1e6, 250, 18);

    /** A small model on two CPU cores: 50 ms a step, 160 tokens of prefill a second. */
    static final SimulatedDevice SLOW = new SimulatedDevice(4e6, 45e6, 6e6, 1e6, 2000, 900);

    /** What a step costs; rises with every part of its shape. */
    long nanos(StepShape shape) {
        return Math.round(overhead
                + Math.max(weights, token * shape.tokens())
                + row * shape.decodeRows()
                + decodeContext * shape.decodeContext()
                + prefillContext * shape.prefillContext());
    }

    /** The same with noise of a few percent and a hiccup now and then. */
    long nanos(StepShape shape, Random random) {
        double noise = 1 + 0.04 * random.nextGaussian();
        double hiccup = random.nextInt(200) == 0 ? 1 + 10 * random.nextDouble() : 1;
        return Math.round(nanos(shape) * Math.max(0.8, noise) * hiccup);
    }

    /** What a request takes on the idle machine with chunks of that many tokens. */
    long alone(int promptTokens, int newTokens, int chunk) {
        long nanos = 0;
        for (int start = 0; start < promptTokens; start += chunk) {
            nanos += nanos(StepShape.EMPTY.plusPrefill(start, Math.min(chunk, promptTokens - start)));
        }
        for (int i = 1; i < newTokens; i++) {
            nanos += nanos(StepShape.EMPTY.plusDecode(promptTokens + i));
        }
        return nanos;
    }
}
