package dev.omlx.text.jinja;

import java.util.Iterator;

/** A Python iterator: it can be read once, has no length, is always true, and does its work as it is read. */
final class Generator implements Value, Iterator<Value> {
    private final Iterator<Value> source;
    private final String typeName;

    Generator(Iterator<Value> source, String typeName) {
        this.source = source;
        this.typeName = typeName;
    }

    static Generator of(Iterator<Value> source) {
        return new Generator(source, "generator");
    }

    @Override
    public boolean hasNext() {
        return source.hasNext();
    }

    @Override
    public Value next() {
        return source.next();
    }

    @Override
    public String typeName() {
        return typeName;
    }
}
