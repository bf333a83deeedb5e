package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * The key-value pairs of a GGUF file, in memory. {@code findX} is empty where the key is absent, {@code x} throws
 * {@link Kind#MISSING_KEY}; both throw {@link Kind#WRONG_VALUE} where the value is of another type or out of range.
 * Integers of every width are taken as such, and as floating point where that is asked for. Immutable.
 */
public final class GgufMetadata {
    private final Path file;
    private final Map<String, GgufValue> values;

    GgufMetadata(Path file, Map<String, GgufValue> values) {
        this.file = file;
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The keys in the order of the file. */
    public Set<String> keys() {
        return values.keySet();
    }

    /** Whether the key is there and its value is an array. */
    public boolean isArray(String key) {
        GgufValue value = values.get(key);
        return value instanceof GgufValue.Texts
                || value instanceof GgufValue.Packed
                || value instanceof GgufValue.Nested;
    }

    public Optional<String> findString(String key) {
        return find(
                key, value -> as(GgufValue.Text.class, key, value, "a string").value());
    }

    public String string(String key) {
        return findString(key).orElseThrow(() -> missing(key));
    }

    public OptionalLong findLong(String key) {
        GgufValue value = values.get(key);
        return value == null ? OptionalLong.empty() : OptionalLong.of(toLong(key, value));
    }

    public long longValue(String key) {
        return findLong(key).orElseThrow(() -> missing(key));
    }

    public OptionalInt findInt(String key) {
        GgufValue value = values.get(key);
        return value == null ? OptionalInt.empty() : OptionalInt.of(toInt(key, value));
    }

    public int intValue(String key) {
        return findInt(key).orElseThrow(() -> missing(key));
    }

    public OptionalDouble findDouble(String key) {
        GgufValue value = values.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(toDouble(key, value));
    }

    public double doubleValue(String key) {
        return findDouble(key).orElseThrow(() -> missing(key));
    }

    public Optional<Boolean> findFlag(String key) {
        return find(key, value -> toFlag(key, value));
    }

    public boolean flag(String key) {
        return findFlag(key).orElseThrow(() -> missing(key));
    }

    public Optional<List<String>> findStrings(String key) {
        return find(
                key,
                value -> Collections.unmodifiableList(as(GgufValue.Texts.class, key, value, "an array of strings")
                        .values()));
    }

    public List<String> strings(String key) {
        return findStrings(key).orElseThrow(() -> missing(key));
    }

    public Optional<int[]> findInts(String key) {
        return find(key, value -> {
            GgufValue.Packed packed = as(GgufValue.Packed.class, key, value, "an array of integers");
            int[] ints = new int[packed.size()];
            for (int i = 0; i < ints.length; i++) {
                ints[i] = toInt(key, packed.get(i));
            }
            return ints;
        });
    }

    public int[] ints(String key) {
        return findInts(key).orElseThrow(() -> missing(key));
    }

    public Optional<long[]> findLongs(String key) {
        return find(key, value -> {
            GgufValue.Packed packed = as(GgufValue.Packed.class, key, value, "an array of integers");
            long[] longs = new long[packed.size()];
            for (int i = 0; i < longs.length; i++) {
                longs[i] = toLong(key, packed.get(i));
            }
            return longs;
        });
    }

    public long[] longs(String key) {
        return findLongs(key).orElseThrow(() -> missing(key));
    }

    public Optional<float[]> findFloats(String key) {
        return find(key, value -> {
            GgufValue.Packed packed = as(GgufValue.Packed.class, key, value, "an array of numbers");
            float[] floats = new float[packed.size()];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) toDouble(key, packed.get(i));
            }
            return floats;
        });
    }

    public float[] floats(String key) {
        return findFloats(key).orElseThrow(() -> missing(key));
    }

    public Optional<boolean[]> findFlags(String key) {
        return find(key, value -> {
            GgufValue.Packed packed = as(GgufValue.Packed.class, key, value, "an array of truth values");
            boolean[] flags = new boolean[packed.size()];
            for (int i = 0; i < flags.length; i++) {
                flags[i] = toFlag(key, packed.get(i));
            }
            return flags;
        });
    }

    public boolean[] flags(String key) {
        return findFlags(key).orElseThrow(() -> missing(key));
    }

    private <T> Optional<T> find(String key, Function<GgufValue, T> convert) {
        return Optional.ofNullable(values.get(key)).map(convert);
    }

    private long toLong(String key, GgufValue value) {
        GgufValue.Whole whole = as(GgufValue.Whole.class, key, value, "an integer");
        if (whole.unsigned64() && whole.bits() < 0) {
            throw wrong(key, value, "a signed 64-bit integer");
        }
        return whole.bits();
    }

    private int toInt(String key, GgufValue value) {
        long whole = toLong(key, value);
        if (whole != (int) whole) {
            throw wrong(key, value, "a 32-bit integer");
        }
        return (int) whole;
    }

    private double toDouble(String key, GgufValue value) {
        return value instanceof GgufValue.Real real ? real.value() : toLong(key, value);
    }

    private boolean toFlag(String key, GgufValue value) {
        return as(GgufValue.Flag.class, key, value, "a truth value").value();
    }

    private <T extends GgufValue> T as(Class<T> type, String key, GgufValue value, String wanted) {
        if (!type.isInstance(value)) {
            throw wrong(key, value, wanted);
        }
        return type.cast(value);
    }

    private CheckpointException missing(String key) {
        return CheckpointException.ofKey(Kind.MISSING_KEY, file, key, "is not in the metadata");
    }

    private CheckpointException wrong(String key, GgufValue value, String wanted) {
        return CheckpointException.ofKey(Kind.WRONG_VALUE, file, key, "is " + value.describe() + ", not " + wanted);
    }
}
