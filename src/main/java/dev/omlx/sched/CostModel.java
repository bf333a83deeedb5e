package dev.omlx.sched;

/**
 * What steps of one model cost, learnt from those that ran. Three curves: decoding rows by themselves, prefill by
 * itself, and what prefill adds to a step that decodes (less than by itself, for the weights are read anyway). A curve
 * that knows nothing yet borrows from its neighbour; where nothing is known at all the answer is 0.
 */
public final class CostModel {
    /** Prefill tokens to try first, by themselves and beside decoding. */
    private static final int FIRST_PREFILL = 256;

    private static final int FIRST_MIXED = 32;

    /** How far beyond the most tokens seen a prediction is trusted: beside decoding a surprise is a stutter. */
    private static final double PREFILL_GROWTH = 2;

    private static final double MIXED_GROWTH = 1.5;

    private static final int ROWS_WITH_OWN_CLASS = 64;
    private static final int TOKENS_WITH_OWN_CLASS = 8;
    private static final int TRUSTED = 3;
    private static final int REMEASURE_AFTER = 100;
    private static final double SPLIT_GAIN = 0.9;
    private static final double LEAST_SHARE = 0.02;

    private final CostCurve decode = new CostCurve(ROWS_WITH_OWN_CLASS, CostCurve.Outside.FLAT);
    private final CostCurve prefill = new CostCurve(TOKENS_WITH_OWN_CLASS, CostCurve.Outside.PROPORTIONAL);
    private final CostCurve mixed = new CostCurve(TOKENS_WITH_OWN_CLASS, CostCurve.Outside.PROPORTIONAL);
    private int mixedSinceDecode;

    /** Takes in how long a step took. */
    public void observe(StepShape shape, long nanos) {
        double taken = (double) nanos;
        if (shape.decodeRows() == 0) {
            if (shape.prefillTokens() > 0) {
                prefill.observe(shape.prefillTokens(), shape.prefillContext(), taken);
            }
        } else if (shape.prefillTokens() == 0) {
            decode.observe(shape.decodeRows(), shape.decodeContext(), taken);
            mixedSinceDecode = 0;
        } else {
            mixedSinceDecode++;
            double rows = decode.at(shape.decodeRows(), shape.decodeContext());
            if (rows > taken) {
                // the rows by themselves cannot take longer than with prefill beside them
                decode.observe(shape.decodeRows(), shape.decodeContext(), taken);
            }
            double added = Math.max(taken - rows, LEAST_SHARE * taken);
            mixed.observe(shape.prefillTokens(), shape.prefillContext(), added);
        }
    }

    /** How long a step will take, in nanoseconds; rises with every part of its shape. 0 while nothing is known. */
    public long predict(StepShape shape) {
        double rows = decode.at(shape.decodeRows(), shape.decodeContext());
        return Math.round(rows + prefillNanos(shape));
    }

    private double prefillNanos(StepShape shape) {
        int tokens = shape.prefillTokens();
        long context = shape.prefillContext();
        boolean alone = shape.decodeRows() == 0;
        CostCurve own = alone ? prefill : mixed;
        if (own.observations() > 0) {
            return own.at(tokens, context);
        }
        if (!alone) {
            return prefill.at(tokens, context);
        }
        return tokens == 0 ? 0 : decode.at(1, context / tokens) + mixed.at(tokens, context);
    }

    /**
     * Whether the decode time of that many rows is a fresh measurement, not a guess from other row counts, nor one
     * reading that may have been a hiccup.
     */
    boolean knowsDecode(int rows) {
        return decode.observations() >= TRUSTED && decode.seen(rows) > 1 && mixedSinceDecode < REMEASURE_AFTER;
    }

    /**
     * How many of {@code wanted} tokens from position {@code start} on can join a step before its predicted time passes
     * {@code limitNanos}. Sizes far beyond anything observed are not trusted, whatever the prediction says.
     */
    int fit(StepShape step, int start, int wanted, long limitNanos) {
        boolean alone = step.decodeRows() == 0;
        int trusted =
                alone ? trusted(prefill, FIRST_PREFILL, PREFILL_GROWTH) : trusted(mixed, FIRST_MIXED, MIXED_GROWTH);
        return Largest.thatFits(
                Math.clamp(trusted - step.prefillTokens(), 0, wanted),
                tokens -> predict(step.plusPrefill(start, tokens)) <= limitNanos);
    }

    private static int trusted(CostCurve curve, int first, double growth) {
        return curve.observations() == 0 ? first : (int) Math.ceil(growth * curve.largest());
    }

    /**
     * The most rows out of {@code rows} that are not clearly slower than two smaller steps: kernels are faster at some
     * batch sizes than at others.
     *
     * @param context positions that all the rows attend to
     */
    int efficientRows(int rows, long context) {
        double[] nanos = new double[rows + 1];
        for (int i = 1; i <= rows; i++) {
            nanos[i] = decode.at(i, context * i / rows);
        }
        int best = rows;
        while (decode.seen(best) >= TRUSTED) {
            int smaller = best;
            double least = SPLIT_GAIN * nanos[best];
            for (int part = 1; part <= best / 2; part++) {
                if (nanos[part] + nanos[best - part] < least) {
                    least = nanos[part] + nanos[best - part];
                    smaller = best - part;
                }
            }
            if (smaller == best) {
                break;
            }
            best = smaller;
        }
        return best;
    }
}
