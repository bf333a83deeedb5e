package dev.omlx.engine.api;

/**
 * The numbers that something may be.
 *
 * @param min the lowest
 * @param minIncluded whether {@code min} itself is one of them
 * @param max the highest
 */
public record Range(double min, boolean minIncluded, double max) {
    /** From {@code min} to {@code max}, both included. */
    public static Range of(double min, double max) {
        return new Range(min, true, max);
    }

    /** Above {@code min}, up to {@code max}. */
    public static Range above(double min, double max) {
        return new Range(min, false, max);
    }

    /** The lowest as a whole number. */
    public int firstInt() {
        return (int) min;
    }

    /** The highest as a whole number. */
    public int lastInt() {
        return (int) max;
    }

    public boolean contains(double value) {
        return (minIncluded ? value >= min : value > min) && value <= max;
    }

    @Override
    public String toString() {
        return minIncluded
                ? "between %s and %s".formatted(shown(min), shown(max))
                : "above %s and at most %s".formatted(shown(min), shown(max));
    }

    private static String shown(double bound) {
        return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
}
