package dev.omlx.text.jinja;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Python's {@code dict}: insertion order, and keys that are equal in Python ({@code 1}, {@code 1.0}, {@code True}) are one. */
final class Dict implements Value {
    /** A key as it was first written, and its value. */
    record Entry(Value key, Value value) {
        Sequence.Tuple toTuple() {
            return Sequence.Tuple.of(key, value);
        }
    }

    private record TupleKey(List<Object> parts) {}

    private final Map<Object, Entry> entries;

    Dict(int expected) {
        entries = LinkedHashMap.newLinkedHashMap(expected);
    }

    Dict() {
        this(8);
    }

    /** Only while the dict is built. */
    void put(Value key, Value value, Budget budget) {
        put(hashKey(key, budget), key, value);
    }

    /** Only while the dict is built. */
    void put(String key, Value value) {
        put(key, Str.of(key), value);
    }

    private void put(Object hashKey, Value key, Value value) {
        Entry old = entries.get(hashKey);
        entries.put(hashKey, new Entry(old == null ? key : old.key(), value));
    }

    void putAll(Dict other) {
        other.entries.forEach((hashKey, entry) -> put(hashKey, entry.key(), entry.value()));
    }

    @Nullable
    Value get(String key) {
        Entry entry = entries.get(key);
        return entry == null ? null : entry.value();
    }

    /**
     * @throws JinjaException when the key is of a kind that can't be a key
     */
    @Nullable
    Value get(Value key, Budget budget) {
        Entry entry = entries.get(hashKey(key, budget));
        return entry == null ? null : entry.value();
    }

    int size() {
        return entries.size();
    }

    Collection<Entry> entries() {
        return entries.values();
    }

    static boolean isHashable(Value key) {
        return switch (key) {
            case Sequence.Array array -> false;
            case Dict dict -> false;
            case Sequence.Tuple tuple -> tuple.items().stream().allMatch(Dict::isHashable);
            default -> true;
        };
    }

    /** An object whose Java equality is the key's Python equality. */
    static Object hashKey(Value key, Budget budget) {
        return switch (key) {
            case Str str -> str.text();
            case Bool bool -> (long) bool.ordinal();
            case Int number -> number.isLong() ? (Object) number.longValue() : number.bigValue();
            case Real real -> hashKey(real.value());
            case Undefined undefined -> Undefined.class;
            case Sequence.Tuple tuple -> {
                budget.enter();
                List<Object> parts = new ArrayList<>(tuple.items().size());
                for (Value part : tuple.items()) {
                    parts.add(hashKey(part, budget));
                }
                budget.leave();
                yield new TupleKey(parts);
            }
            case Sequence.Array array -> throw unhashable(key);
            case Dict dict -> throw unhashable(key);
            case None none -> key;
            case DictView view -> key;
            case Range range -> key;
            case Generator generator -> key;
            case Namespace namespace -> key;
            case Cycler cycler -> key;
            case Callable callable -> key;
        };
    }

    private static Object hashKey(double value) {
        if (Double.isFinite(value) && value == Math.rint(value)) {
            Int whole = Int.of(new BigDecimal(value).toBigInteger());
            return whole.isLong() ? (Object) whole.longValue() : whole.bigValue();
        }
        return value;
    }

    private static JinjaException unhashable(Value key) {
        return JinjaException.runtime("A value of type '" + key.typeName() + "' can't be a key of a dict");
    }

    @Override
    public String typeName() {
        return "dict";
    }
}
