package dev.omlx.sched;

import java.util.ArrayList;
import java.util.List;

/**
 * A time learnt as a function of a size and of a context: {@code base(size) + slope * context}, rising in both. Sizes
 * fall into classes, and each observed class holds the moving average of what was seen in it, so the curve runs through
 * the averages and never needs a guess of its own. Where a new observation contradicts the order of its neighbours, it
 * is right and they give way.
 */
final class CostCurve {
    /** What lies outside the observed sizes. */
    enum Outside {
        /** The same as the nearest observed size: for rows, whose cost hardly grows. */
        FLAT,
        /** In proportion to the nearest observed size: for tokens, whose cost starts at nothing. */
        PROPORTIONAL
    }

    private static final double GAIN = 0.2;
    private static final int WARM_UP = 3;
    private static final double OUTLIER = 2;
    private static final double MOST_OF_IT = 0.9;
    private static final int CLASSES_PER_DOUBLING = 2;

    private final int exactSizes;
    private final Outside outside;
    private final List<Point> points = new ArrayList<>();
    private double slope;
    private int largest;
    private int observations;

    /** @param exactSizes sizes up to this one have a class each; above it there are two classes for each doubling */
    CostCurve(int exactSizes, Outside outside) {
        this.exactSizes = exactSizes;
        this.outside = outside;
    }

    /** Takes in that a step part of this size (at least 1) took so long. A reading far off the mark counts in part. */
    void observe(int size, long context, double nanos) {
        double expected = points.isEmpty() ? nanos : at(size, context);
        int index = indexOf(classOf(size));
        if (index < 0) {
            index = ~index;
            points.add(index, new Point(classOf(size), size, context, plausible(nanos, expected)));
        } else if (points.get(index).seen < WARM_UP && nanos < expected) {
            // the first steps of a size may hold the compiling of kernels: there the quicker reading is the true one
            points.get(index).move(size, context, nanos, 1);
        } else {
            learnSlope(size, context, plausible(nanos, expected));
            points.get(index)
                    .move(
                            size,
                            context,
                            plausible(nanos, expected),
                            points.get(index).gain());
        }
        largest = Math.max(largest, size);
        observations++;
        slope = Math.min(slope, steepest());
        makeMonotone(index);
    }

    /** Predicted nanoseconds; 0 while nothing is known. */
    double at(int size, long context) {
        if (points.isEmpty() || size == 0) {
            return 0;
        }
        return Math.max(1, base(size) + slope * (context - baseContext(size)));
    }

    /** How often a size of this class was observed. */
    int seen(int size) {
        int index = indexOf(classOf(size));
        return index < 0 ? 0 : points.get(index).seen;
    }

    int observations() {
        return observations;
    }

    /** The largest size observed. */
    int largest() {
        return largest;
    }

    private static double plausible(double nanos, double expected) {
        return Math.clamp(nanos, expected / OUTLIER, expected * OUTLIER);
    }

    private double base(int size) {
        return interpolate(size, true);
    }

    private double baseContext(int size) {
        return interpolate(size, false);
    }

    private double interpolate(int size, boolean nanos) {
        Point upper = points.getFirst();
        Point lower = upper;
        for (Point point : points) {
            lower = upper;
            upper = point;
            if (point.size >= size) {
                break;
            }
        }
        double low = nanos ? lower.nanos : lower.context;
        double high = nanos ? upper.nanos : upper.context;
        if (size >= upper.size || size <= lower.size) {
            boolean above = size >= upper.size;
            double nearest = above ? upper.size : lower.size;
            return (above ? high : low) * (outside == Outside.FLAT ? 1 : size / nearest);
        }
        return low + (high - low) * (size - lower.size) / (upper.size - lower.size);
    }

    /** A normalised step towards the slope that explains the reading; small deviations of the context say little. */
    private void learnSlope(int size, long context, double nanos) {
        double usual = baseContext(size);
        double deviation = context - usual;
        double unexplained = nanos - base(size) - slope * deviation;
        double scale = deviation * deviation + usual * usual / 4 + 1;
        slope = Math.max(0, slope + GAIN * unexplained * deviation / scale);
    }

    /** The context explains most of a time at best, never all of it. */
    private double steepest() {
        double steepest = Double.MAX_VALUE;
        for (Point point : points) {
            if (point.context > 0) {
                steepest = Math.min(steepest, MOST_OF_IT * point.nanos / point.context);
            }
        }
        return steepest;
    }

    private void makeMonotone(int newest) {
        for (int i = newest - 1; i >= 0; i--) {
            points.get(i).nanos -= Math.max(0, atNoContext(i) - atNoContext(i + 1));
        }
        for (int i = newest + 1; i < points.size(); i++) {
            points.get(i).nanos += Math.max(0, atNoContext(i - 1) - atNoContext(i));
        }
    }

    private double atNoContext(int index) {
        return points.get(index).nanos - slope * points.get(index).context;
    }

    private int classOf(int size) {
        if (size <= exactSizes) {
            return size;
        }
        double doublings = Math.log((double) size / exactSizes) / Math.log(2);
        return exactSizes + 1 + (int) (doublings * CLASSES_PER_DOUBLING);
    }

    private int indexOf(int sizeClass) {
        int index = 0;
        while (index < points.size() && points.get(index).sizeClass < sizeClass) {
            index++;
        }
        return index < points.size() && points.get(index).sizeClass == sizeClass ? index : ~index;
    }

    /** The average of what was seen in one class. */
    private static final class Point {
        private final int sizeClass;
        private double size;
        private double context;
        private double nanos;
        private int seen = 1;

        Point(int sizeClass, int size, long context, double nanos) {
            this.sizeClass = sizeClass;
            this.size = size;
            this.context = (double) context;
            this.nanos = nanos;
        }

        /** The first few readings weigh the same, or the first would stay for long. */
        double gain() {
            return Math.max(GAIN, 1.0 / (seen + 1));
        }

        void move(int newSize, long newContext, double newNanos, double gain) {
            size += gain * (newSize - size);
            context += gain * (newContext - context);
            nanos += gain * (newNanos - nanos);
            seen++;
        }
    }
}
