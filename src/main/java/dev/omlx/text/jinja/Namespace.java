package dev.omlx.text.jinja;

import org.jspecify.annotations.Nullable;

/** What {@code namespace(...)} makes: the one value whose attributes a template can set. */
final class Namespace implements Value {
    private final Dict attributes;

    Namespace(Dict attributes) {
        this.attributes = attributes;
    }

    void set(String name, Value value) {
        attributes.put(name, value);
    }

    @Nullable
    Value get(String name) {
        return attributes.get(name);
    }

    Dict attributes() {
        return attributes;
    }

    @Override
    public String typeName() {
        return "Namespace";
    }
}
