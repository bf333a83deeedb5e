package dev.omlx.text.jinja;

import java.util.List;

/** What {@code cycler(...)} makes: hands out its items in turn. */
final class Cycler implements Value {
    private final List<Value> items;
    private int position;

    Cycler(List<Value> items) {
        if (items.isEmpty()) {
            throw JinjaException.runtime("cycler() needs at least one item");
        }
        this.items = items;
    }

    Value current() {
        return items.get(position);
    }

    Value next() {
        Value item = current();
        position = (position + 1) % items.size();
        return item;
    }

    void reset() {
        position = 0;
    }

    @Override
    public String typeName() {
        return "Cycler";
    }
}
