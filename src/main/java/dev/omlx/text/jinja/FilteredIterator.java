package dev.omlx.text.jinja;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The elements that pass a test; each is tested when it is asked for, not before. */
final class FilteredIterator implements Iterator<Value> {
    private final Iterator<Value> source;
    private final Predicate<Value> test;
    private final Budget budget;
    private @Nullable Value next;

    FilteredIterator(Iterator<Value> source, Predicate<Value> test, Budget budget) {
        this.source = source;
        this.test = test;
        this.budget = budget;
    }

    @Override
    public boolean hasNext() {
        budget.enter();
        while (next == null && source.hasNext()) {
            budget.step();
            Value candidate = source.next();
            if (test.test(candidate)) {
                next = candidate;
            }
        }
        budget.leave();
        return next != null;
    }

    @Override
    public Value next() {
        Value found = hasNext() ? next : null;
        if (found == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return found;
    }
}
