package dev.omlx.text.jinja;

import java.util.AbstractList;
import java.util.List;

/**
 * Python's {@code range}. Bounds and step are small enough ({@link #MAX_BOUND}) for sums of them not to overflow.
 */
record Range(long start, long stop, long step) implements Value {
    static final long MAX_BOUND = 1L << 60;

    Range {
        if (step == 0) {
            throw JinjaException.runtime("The step of a range must not be zero");
        }
        if (Math.max(Math.max(Math.abs(start), Math.abs(stop)), Math.abs(step)) > MAX_BOUND) {
            throw JinjaException.limit("The template makes a range with bounds beyond " + MAX_BOUND);
        }
    }

    long size() {
        long span = step > 0 ? stop - start : start - stop;
        return span <= 0 ? 0 : (span - 1) / Math.abs(step) + 1;
    }

    /** The elements, made as they are read. */
    List<Value> toList() {
        int size = Math.toIntExact(size());
        return new AbstractList<>() {
            @Override
            public Value get(int index) {
                return Int.of(start + index * step);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    @Override
    public String typeName() {
        return "range";
    }
}
