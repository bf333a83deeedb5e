package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.function.UnaryOperator;

/** Python's {@code iter()}, {@code list()}, {@code reversed()} and {@code len()}. */
final class Iteration {
    private Iteration() {}

    /**
     * Iterates over a value; a generator is used up by it.
     *
     * @throws JinjaException when the value is not iterable
     */
    static Iterator<Value> of(Value value) {
        return switch (value) {
            case Sequence sequence -> sequence.items().iterator();
            case Undefined undefined -> List.<Value>of().iterator();
            case Str str -> characters(str);
            case Dict dict -> new DictView(dict, DictView.Part.KEYS).iterator();
            case DictView view -> view.iterator();
            case Range range -> range.toList().iterator();
            case Generator generator -> generator;
            default -> throw JinjaException.runtime("A value of type '" + value.typeName() + "' can't be iterated");
        };
    }

    static boolean isIterable(Value value) {
        return switch (value) {
            case Sequence sequence -> true;
            case Undefined undefined -> true;
            case Str str -> true;
            case Dict dict -> true;
            case DictView view -> true;
            case Range range -> true;
            case Generator generator -> true;
            case LoopState loop -> true;
            default -> false;
        };
    }

    private static Iterator<Value> characters(Str str) {
        PrimitiveIterator.OfInt codePoints = str.text().codePoints().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return codePoints.hasNext();
            }

            @Override
            public Value next() {
                return Str.of(Character.toString(codePoints.nextInt()));
            }
        };
    }

    /** The elements; the value's own list where it has one, which must not be changed. */
    static List<Value> toList(Value value, Budget budget) {
        if (value instanceof Sequence sequence) {
            budget.list(sequence.items().size());
            return sequence.items();
        }
        List<Value> items = new ArrayList<>();
        Iterator<Value> source = of(value);
        while (source.hasNext()) {
            budget.step();
            items.add(source.next());
        }
        return items;
    }

    /**
     * {@code len(value)}.
     *
     * @throws JinjaException when the value has no length
     */
    static long length(Value value) {
        return switch (value) {
            case Str str -> str.length();
            case Sequence sequence -> sequence.items().size();
            case Dict dict -> dict.size();
            case DictView view -> view.dict().size();
            case Range range -> range.size();
            case Undefined undefined -> 0;
            case LoopState loop -> loop.length();
            default -> throw JinjaException.runtime("A value of type '" + value.typeName() + "' has no length");
        };
    }

    static boolean hasLength(Value value) {
        return switch (value) {
            case Str str -> true;
            case Sequence sequence -> true;
            case Dict dict -> true;
            case DictView view -> true;
            case Range range -> true;
            case Undefined undefined -> true;
            case LoopState loop -> true;
            default -> false;
        };
    }

    /** {@code list(reversed(value))} for what has an order from both ends, which generators have not. */
    static List<Value> reversed(Value value, Budget budget) {
        if (value instanceof Generator || !isIterable(value)) {
            throw JinjaException.runtime("A value of type '" + value.typeName() + "' can't be read backwards");
        }
        return toList(value, budget).reversed();
    }

    /** A generator of the elements, each mapped as it is read. */
    static Generator map(Value value, UnaryOperator<Value> mapping, Budget budget) {
        Iterator<Value> source = of(value);
        return Generator.of(new Iterator<>() {
            @Override
            public boolean hasNext() {
                budget.enter();
                boolean more = source.hasNext();
                budget.leave();
                return more;
            }

            @Override
            public Value next() {
                budget.enter();
                Value mapped = mapping.apply(source.next());
                budget.leave();
                return mapped;
            }
        });
    }
}
