package dev.omlx.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a model's configuration by key, and answers an absent, ill-typed or absurd value with a
 * {@link ModelConfigException} that names it. A JSON {@code null} counts as absent.
 */
final class ConfigReader {
    /** No count in a real configuration comes near it. */
    static final int MOST = 1 << 24;

    private final String file;
    private final String path;
    private final Map<String, ?> values;

    ConfigReader(String file, Map<String, ?> values) {
        this(file, "", values);
    }

    private ConfigReader(String file, String path, Map<String, ?> values) {
        this.file = file;
        this.path = path;
        this.values = values;
    }

    boolean has(String key) {
        return values.get(key) != null;
    }

    /** A count of at least one. */
    int count(String key) {
        if (!has(key)) {
            throw fault(key, "is missing");
        }
        return count(key, 1);
    }

    /** A count of at least one, or the default. */
    int count(String key, int otherwise) {
        return whole(key, otherwise, 1);
    }

    /** A whole number of at least {@code least}, or the default. */
    int whole(String key, int otherwise, int least) {
        Object value = values.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!(value instanceof Number number)
                || number.doubleValue() != Math.rint(number.doubleValue())
                || number.doubleValue() < least
                || number.doubleValue() > MOST) {
            throw fault(key, "must be a whole number from " + least + " to " + MOST + ", not " + shown(value));
        }
        return number.intValue();
    }

    /** A finite number above zero, or the default. */
    float positive(String key, double otherwise) {
        Object value = values.get(key);
        if (value == null) {
            return (float) otherwise;
        }
        if (!(value instanceof Number number)
                || !(number.doubleValue() > 0)
                || number.doubleValue() > Float.MAX_VALUE) {
            throw fault(key, "must be a number above 0, not " + shown(value));
        }
        return number.floatValue();
    }

    boolean flag(String key, boolean otherwise) {
        Object value = values.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!(value instanceof Boolean flag)) {
            throw fault(key, "must be true or false, not " + shown(value));
        }
        return flag;
    }

    @Nullable
    String text(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof String)) {
            throw fault(key, "must be a text, not " + shown(value));
        }
        return (String) value;
    }

    /** An object's own reader, or null. */
    @Nullable
    ConfigReader object(String key) {
        Object value = values.get(key);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw fault(key, "must be an object, not " + shown(value));
        }
        return new ConfigReader(file, path + key + ".", stringKeys(map));
    }

    /** A list's texts, or null. */
    @Nullable
    List<String> texts(String key) {
        Object value = values.get(key);
        if (value == null) {
            return null;
        }
        if (!(value instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
            throw fault(key, "must be a list of texts, not " + shown(value));
        }
        return list.stream().map(String.class::cast).toList();
    }

    @Nullable
    Object raw(String key) {
        return values.get(key);
    }

    ModelConfigException fault(String key, String fault) {
        return new ModelConfigException(file, path + key, fault);
    }

    static String shown(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    @SuppressWarnings("unchecked") // JSON's keys are texts
    private static Map<String, ?> stringKeys(Map<?, ?> map) {
        return (Map<String, ?>) map;
    }
}
