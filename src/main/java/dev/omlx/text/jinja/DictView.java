package dev.omlx.text.jinja;

import java.util.Iterator;
import java.util.List;

/** What {@code keys()}, {@code values()} and {@code items()} of a dict return. */
record DictView(Dict dict, Part part) implements Value {
    enum Part {
        KEYS("dict_keys"),
        VALUES("dict_values"),
        ITEMS("dict_items");

        private final String typeName;

        Part(String typeName) {
            this.typeName = typeName;
        }

        Value of(Dict.Entry entry) {
            return switch (this) {
                case KEYS -> entry.key();
                case VALUES -> entry.value();
                case ITEMS -> entry.toTuple();
            };
        }
    }

    Iterator<Value> iterator() {
        Iterator<Dict.Entry> entries = dict.entries().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Value next() {
                return part.of(entries.next());
            }
        };
    }

    List<Value> toList() {
        return dict.entries().stream().map(part::of).toList();
    }

    @Override
    public String typeName() {
        return part.typeName;
    }
}
