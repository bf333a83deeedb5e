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

    /** Elements that the making of a key of a tuple costs as much as, so that shared tuples can't fill the memory. */
    private static final int TUPLE_KEY_PRICE = 16;

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

    void putAll(Dict other, Budget budget) {
        budget.list(other.size());
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

    /** As {@link #get(Value, Budget)}, but null also for what can't be a key. */
    @Nullable
    Value find(Value key, Budget budget) {
        Object hashKey = hashKeyOrNull(key, budget);
        Entry entry = hashKey == null ? null : entries.get(hashKey);
        return entry == null ? null : entry.value();
    }

    int size() {
        return entries.size();
    }

    Collection<Entry> entries() {
        return entries.values();
    }

    /**
     * An object whose Java equality is the key's Python equality.
     *
     * @throws JinjaException when the key is of a kind that can't be a key
     */
    static Object hashKey(Value key, Budget budget) {
        Object hashKey = hashKeyOrNull(key, budget);
        if (hashKey == null) {
            throw JinjaException.runtime("A value of type '" + key.typeName() + "' can't be a key of a dict");
        }
        return hashKey;
    }

    private static @Nullable Object hashKeyOrNull(Value key, Budget budget) {
        return switch (key) {
            case Str str -> str.text();
            case Bool bool -> (long) bool.number();
            case Int number -> number.isLong() ? (Object) number.longValue() : number.bigValue();
            case Real real -> hashKey(real.value());
            case Undefined undefined -> Undefined.class;
            case Sequence.Tuple tuple -> tupleKey(tuple, budget);
            case Sequence.Array array -> null;
            case Dict dict -> null;
            case None none -> key;
            case DictView view -> key;
            case Range range -> key;
            case Generator generator -> key;
            case Namespace namespace -> key;
            case Cycler cycler -> key;
            case Callable callable -> key;
        };
    }

    private static @Nullable Object tupleKey(Sequence.Tuple tuple, Budget budget) {
        budget.enter();
        budget.list(TUPLE_KEY_PRICE + tuple.items().size());
        List<Object> parts = new ArrayList<>(tuple.items().size());
        for (Value part : tuple.items()) {
            Object partKey = hashKeyOrNull(part, budget);
            if (partKey == null) {
                return null;
            }
            parts.add(partKey);
        }
        budget.leave();
        return new TupleKey(parts);
    }

    private static Object hashKey(double value) {
        if (Double.isFinite(value) && value == Math.rint(value)) {
            Int whole = Int.of(new BigDecimal(value).toBigInteger());
            return whole.isLong() ? (Object) whole.longValue() : whole.bigValue();
        }
        return value;
    }

    @Override
    public String typeName() {
        return "dict";
    }
}
