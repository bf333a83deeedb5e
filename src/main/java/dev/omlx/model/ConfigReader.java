package dev.omlx.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a model's configuration by key, and answers an absent, ill-typed or absurd value with a
 * {@link ModelConfigException} that names it. A JSON {@code null} counts as absent.
 */
final class ConfigReader {
    /** No count in a real configuration comes near it. */
    static final int MOST = 1 << 24;

    /** Between two spellings of one number. */
    private static final double ROUNDING = 1e-6;

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
            throw fault(key, "must be a number above 0 and at most " + Float.MAX_VALUE + ", not " + shown(value));
        }
        return number.floatValue();
    }

    /** Refuses a number other than that one, the only one that is honoured. */
    void only(String key, double supported) {
        Object value = values.get(key);
        if (value == null) {
            return;
        }
        if (!(value instanceof Number number)) {
            throw fault(key, "must be a number, not " + shown(value));
        }
        if (!(Math.abs(number.doubleValue() - supported) <= ROUNDING * Math.abs(supported))) {
            throw fault(key, "is " + shown(value) + ", which is not supported; only " + plain(supported) + " is");
        }
    }

    /** Refuses a truth value other than that one, the only one that is honoured. */
    void only(String key, boolean supported) {
        if (flag(key, supported) != supported) {
            throw fault(key, "is " + !supported + ", which is not supported; only " + supported + " is");
        }
    }

    /** Refuses a text other than those, the only ones that are honoured. */
    void only(String key, Set<String> supported) {
        String text = text(key);
        if (text != null && !supported.contains(text)) {
            throw fault(key, "is '" + shown(text) + "', which is not supported");
        }
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

    Set<String> keys() {
        return values.keySet();
    }

    @Nullable
    Object raw(String key) {
        return values.get(key);
    }

    ModelConfigException fault(String key, String fault) {
        return new ModelConfigException(file, path + key, fault);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf((float) number);
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
