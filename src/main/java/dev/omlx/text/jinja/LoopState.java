package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The variable {@code loop}: where a loop is. Looks ahead in the elements only when asked about what comes. */
final class LoopState implements Callable {
    private final Value iterable;
    private final boolean filtered;
    private final int depth0;
    private final @Nullable BiFunction<Value, Integer, Value> recursion;
    private final Budget budget;

    private Iterator<Value> source;
    private int index0 = -1;
    private long length = -1;
    private @Nullable Value current;
    private @Nullable Value previous;
    private @Nullable Value ahead;
    private @Nullable List<Value> lastChanged;

    /**
     * A loop before its first element.
     *
     * @param source the elements that the loop will see
     * @param filtered whether these are fewer than those of the iterable
     * @param recursion renders the loop again on another value at a depth, or null if it is not recursive
     */
    LoopState(
            Value iterable,
            Iterator<Value> source,
            boolean filtered,
            int depth0,
            @Nullable BiFunction<Value, Integer, Value> recursion,
            Budget budget) {
        this.iterable = iterable;
        this.source = source;
        this.filtered = filtered;
        this.depth0 = depth0;
        this.recursion = recursion;
        this.budget = budget;
    }

    /** The next element, which becomes the current one, or null at the end. */
    @Nullable
    Value advance() {
        Value next = peek();
        if (next != null) {
            ahead = null;
            index0++;
            previous = current;
            current = next;
        }
        return next;
    }

    private @Nullable Value peek() {
        if (ahead == null && source.hasNext()) {
            ahead = source.next();
        }
        return ahead;
    }

    int index() {
        return index0 + 1;
    }

    long length() {
        if (length < 0) {
            if (!filtered && Iteration.hasLength(iterable)) {
                length = Iteration.length(iterable);
            } else {
                List<Value> rest = new ArrayList<>();
                while (source.hasNext()) {
                    budget.step();
                    rest.add(source.next());
                }
                source = rest.iterator();
                length = (long) rest.size() + index() + (ahead != null ? 1 : 0);
            }
        }
        return length;
    }

    /** The attribute, or null where there is none of that name. */
    @Nullable
    Value attribute(String name) {
        return switch (name) {
            case "index" -> Int.of(index());
            case "index0" -> Int.of(index0);
            case "first" -> Bool.of(index0 == 0);
            case "last" -> Bool.of(peek() == null);
            case "length" -> Int.of(length());
            case "revindex" -> Int.of(length() - index0);
            case "revindex0" -> Int.of(length() - index());
            case "depth" -> Int.of(depth0 + 1L);
            case "depth0" -> Int.of(depth0);
            case "previtem" ->
                previous != null && index0 > 0 ? previous : Undefined.because("The loop has no previous item");
            case "nextitem" -> {
                Value next = peek();
                yield next != null ? next : Undefined.because("The loop has no next item");
            }
            case "cycle" -> Builtin.method(name, this::cycle);
            case "changed" -> Builtin.method(name, this::changed);
            default -> null;
        };
    }

    private Value cycle(Arguments arguments) {
        List<Value> items = arguments.exactly(1, Integer.MAX_VALUE);
        return items.get(index0 % items.size());
    }

    private Value changed(Arguments arguments) {
        List<Value> values = arguments.exactly(0, Integer.MAX_VALUE);
        boolean same = lastChanged != null
                && Comparison.equal(new Sequence.Tuple(lastChanged), new Sequence.Tuple(values), budget);
        lastChanged = values;
        return Bool.of(!same);
    }

    /** {@code loop(value)}: the loop's text for another value, one level deeper. */
    @Override
    public Value call(Arguments arguments) {
        if (recursion == null) {
            throw JinjaException.runtime("Only a loop that is marked 'recursive' can be called");
        }
        return recursion.apply(arguments.exactly(1, 1).get(0), depth0 + 1);
    }

    @Override
    public String typeName() {
        return "LoopContext";
    }
}
