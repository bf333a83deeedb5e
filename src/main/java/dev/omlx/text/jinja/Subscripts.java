package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Python's elements and slices, by code point in strings. */
final class Subscripts {
    private Subscripts() {}

    /** The element at an index or key, or null where there is none or the value has no elements. */
    static @Nullable Value element(Value target, Value key, Budget budget) {
        return switch (target) {
            case Dict dict -> dict.find(key, budget);
            case Sequence sequence -> at(sequence.items(), key);
            case Range range -> at(range.toList(), key);
            case Str str -> {
                if (!Arithmetic.isInteger(key)) {
                    yield null;
                }
                String text = str.text();
                int length = str.length();
                int index = position(Arithmetic.toInt(key).clamped(), length);
                if (index < 0 || index >= length) {
                    yield null;
                }
                if (!str.isPlain()) {
                    budget.copy(text.length());
                }
                int offset = str.isPlain() ? index : text.offsetByCodePoints(0, index);
                yield str.like(Character.toString(text.codePointAt(offset)));
            }
            default -> null;
        };
    }

    private static @Nullable Value at(List<Value> items, Value key) {
        if (!Arithmetic.isInteger(key)) {
            return null;
        }
        int index = position(Arithmetic.toInt(key).clamped(), items.size());
        return index >= 0 && index < items.size() ? items.get(index) : null;
    }

    private static int position(int index, int length) {
        return index < 0 ? index + length : index;
    }

    /** {@code target[start:stop:step]}; None stands for what is not given. */
    static Value slice(Value target, Value start, Value stop, Value step, Budget budget) {
        return switch (target) {
            case Str str -> sliceText(str, Bounds.of(start, stop, step, str.length()), budget);
            case Sequence sequence -> {
                List<Value> items = sequence.items();
                Bounds bounds = Bounds.of(start, stop, step, items.size());
                budget.list(bounds.count());
                List<Value> slice = new ArrayList<>(bounds.count());
                for (int i = 0; i < bounds.count(); i++) {
                    slice.add(items.get(bounds.at(i)));
                }
                yield sequence.like(slice);
            }
            case Range range -> {
                Bounds bounds = Bounds.of(start, stop, step, Math.toIntExact(range.size()));
                long from = range.start() + bounds.start() * range.step();
                long inner = range.step() * bounds.step();
                yield new Range(from, range.start() + bounds.stop() * range.step(), inner);
            }
            case Undefined undefined -> throw undefined.failure();
            default -> throw JinjaException.runtime("A value of type '" + target.typeName() + "' can't be sliced");
        };
    }

    private static Str sliceText(Str str, Bounds bounds, Budget budget) {
        String text = str.text();
        if (bounds.count() == 0) {
            return str.like("");
        }
        budget.text(bounds.count());
        boolean plain = str.isPlain();
        if (!plain || bounds.step() != 1) {
            budget.copy(text.length());
        }
        if (bounds.step() == 1) {
            int from = plain ? bounds.start() : text.offsetByCodePoints(0, bounds.start());
            int to = plain ? from + bounds.count() : text.offsetByCodePoints(from, bounds.count());
            return str.like(text.substring(from, to));
        }
        int[] codePoints = text.codePoints().toArray();
        StringBuilder slice = new StringBuilder(bounds.count());
        for (int i = 0; i < bounds.count(); i++) {
            slice.appendCodePoint(codePoints[bounds.at(i)]);
        }
        return str.like(slice.toString());
    }

    /** The bounds of a slice within a length, as Python clips them. */
    private record Bounds(int start, int stop, int step, int count) {
        static Bounds of(Value start, Value stop, Value step, int length) {
            int stride = step == None.NONE ? 1 : index(step);
            if (stride == 0) {
                throw JinjaException.runtime("The step of a slice must not be zero");
            }
            // No longer step than the length matters, and the sums below must not overflow.
            stride = Math.clamp(stride, -length - 1, length + 1);
            boolean forward = stride > 0;
            int lowest = forward ? 0 : -1;
            int highest = forward ? length : length - 1;
            int from = clip(start, forward ? lowest : highest, lowest, highest, length);
            int to = clip(stop, forward ? highest : lowest, lowest, highest, length);
            int span = forward ? to - from : from - to;
            return new Bounds(from, to, stride, span <= 0 ? 0 : (span - 1) / Math.abs(stride) + 1);
        }

        int at(int i) {
            return start + i * step;
        }

        private static int clip(Value bound, int fallback, int lowest, int highest, int length) {
            if (bound == None.NONE) {
                return fallback;
            }
            int index = index(bound);
            return Math.clamp(index < 0 ? (long) index + length : index, lowest, highest);
        }

        private static int index(Value value) {
            if (Arithmetic.isInteger(value)) {
                return Arithmetic.toInt(value).clamped();
            }
            throw JinjaException.runtime(
                    "The bounds of a slice must be integers or none, but one is of type '" + value.typeName() + "'");
        }
    }
}
