package dev.omlx.testsupport;

import java.util.Random;

/** Other numbers in each run; prints the seed, for a run that fails. */
public final class RandomNumbers {
    private final Random random;

    public RandomNumbers() {
        random = seeded();
    }

    /** A generator of its own, whose seed is printed. */
    public static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return new Random(seed);
    }

    /** Normally distributed around 0 with variance 1. */
    public float[] gaussian(int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
