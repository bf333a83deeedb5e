package dev.omlx.sched;

import java.util.function.IntPredicate;

/** Finds how much of something fits. */
public final class Largest {
    private Largest() {}

    /**
     * The largest number up to {@code most} that fits; 0 if none does, or there is nothing to fit.
     *
     * @param fits asked about numbers from 1 on; where one does not fit, no larger one does
     */
    public static int thatFits(int most, IntPredicate fits) {
        int low = 0;
        int high = most;
        while (low < high) {
            int middle = (low + high + 1) >>> 1; // the sum may pass the largest int
            if (fits.test(middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
