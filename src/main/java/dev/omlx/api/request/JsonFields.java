package dev.omlx.api.request;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.engine.api.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of one JSON object of a request. A field that is null is as good as absent. Every reader throws an
 * {@link ApiException} that names the field by its path, such as {@code messages[0].content}, if its value is of a wrong
 * type or out of range; fields that nobody reads are ignored.
 */
public final class JsonFields {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final ObjectNode object;
    private final String path;

    private JsonFields(ObjectNode object, String path) {
        this.object = object;
        this.path = path;
    }

    /** The fields of a request's body. */
    static JsonFields root(ObjectNode body) {
        return new JsonFields(body, "");
    }

    /** Where the field stands in the request. */
    public String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Where an element of the field's array stands in the request. */
    public String path(String name, int index) {
        return "%s[%d]".formatted(path(name), index);
    }

    public boolean has(String name) {
        return value(name) != null;
    }

    /** The field as it stands, for fields of several types; null if absent. */
    public @Nullable JsonNode value(String name) {
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : value;
    }

    /** The object as it stands. */
    public ObjectNode object() {
        return object;
    }

    /** The object as Java's own maps, lists, strings, numbers and booleans. */
    public Map<String, Object> map() {
        return MAPPER.convertValue(object, new TypeReference<>() {});
    }

    public @Nullable String string(String name) {
        JsonNode value = value(name);
        return value == null ? null : string(value, path(name));
    }

    public String requireString(String name) {
        return require(name, string(name));
    }

    public boolean flag(String name, boolean absent) {
        JsonNode value = value(name);
        if (value != null && !value.isBoolean()) {
            throw invalid(name, "must be true or false");
        }
        return value == null ? absent : value.booleanValue();
    }

    public @Nullable Integer integer(String name, int min, int max) {
        JsonNode value = value(name);
        return value == null ? null : integer(value, path(name), min, max);
    }

    public int integer(String name, int min, int max, int absent) {
        Integer value = integer(name, min, max);
        return value == null ? absent : value;
    }

    /** Whether it is there and anything but an empty list. */
    public boolean hasEntries(String name) {
        JsonNode value = value(name);
        return value != null && !(value.isArray() && value.isEmpty());
    }

    /** As {@link #integer(String, int, int)}; whole numbers above {@code max} stand for it. */
    public @Nullable Integer clamped(String name, int min, int max) {
        JsonNode value = value(name);
        boolean beyond = value != null && isWhole(value) && doubleValue(value) > max;
        return beyond ? Integer.valueOf(max) : integer(name, min, max);
    }

    /** Any whole number of 64 bits. */
    public @Nullable Long whole(String name) {
        JsonNode value = value(name);
        if (value == null) {
            return null;
        }
        if (!isWhole(value) || !value.canConvertToLong()) {
            throw invalid(name, "must be an integer of 64 bits");
        }
        return value.longValue();
    }

    public @Nullable Double number(String name, Range range) {
        JsonNode value = value(name);
        return value == null ? null : number(value, path(name), range);
    }

    public @Nullable JsonFields fields(String name) {
        JsonNode value = value(name);
        return value == null ? null : fields(value, path(name));
    }

    /** As {@link #fields}, without any fields where it is absent. */
    public JsonFields fieldsOrNone(String name) {
        JsonFields fields = fields(name);
        return fields == null ? new JsonFields(MAPPER.createObjectNode(), path(name)) : fields;
    }

    public JsonFields requireFields(String name) {
        return require(name, fields(name));
    }

    /** The objects of an array; empty if it is absent. */
    public List<JsonFields> objects(String name) {
        return elements(name, JsonFields::fields);
    }

    /** The strings of an array; empty if it is absent. */
    public List<String> strings(String name) {
        return elements(name, JsonFields::string);
    }

    /** The strings of an array, or the one that stands in its place; empty if it is absent. */
    public List<String> oneOrMoreStrings(String name) {
        JsonNode value = value(name);
        if (value != null && value.isString()) {
            return List.of(value.stringValue());
        }
        if (value != null && !value.isArray()) {
            throw invalid(name, "must be a string or an array of strings");
        }
        return strings(name);
    }

    /** Where one of those stands in the request which are an array, or the one in its place. */
    public String pathOfOneOrMore(String name, int index) {
        JsonNode value = value(name);
        return value != null && value.isArray() ? path(name, index) : path(name);
    }

    /** The integers of an array; empty if it is absent. */
    public List<Integer> integers(String name, int min, int max) {
        return elements(name, (value, where) -> integer(value, where, min, max));
    }

    /** Says that the field's value cannot be served; {@code problem} follows the field's path. */
    public ApiException invalid(String name, String problem) {
        return invalidAt(path(name), problem);
    }

    /** As {@link #invalid}, for a path that is already whole. */
    public static ApiException invalidAt(String path, String problem) {
        return new ApiException(ApiError.invalid(path, "'" + path + "' " + problem));
    }

    private <T> List<T> elements(String name, BiFunction<JsonNode, String, T> reader) {
        JsonNode value = value(name);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray()) {
            throw invalid(name, "must be an array");
        }
        List<T> elements = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            elements.add(reader.apply(value.get(i), path(name, i)));
        }
        return elements;
    }

    private <T> T require(String name, @Nullable T value) {
        if (value == null) {
            throw invalid(name, "is required");
        }
        return value;
    }

    private static String string(JsonNode value, String path) {
        if (!value.isString()) {
            throw invalidAt(path, "must be a string");
        }
        return value.stringValue();
    }

    private static JsonFields fields(JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            return new JsonFields(object, path);
        }
        throw invalidAt(path, "must be an object");
    }

    static int integer(JsonNode value, String path, int min, int max) {
        if (!isWhole(value) || !value.canConvertToInt() || value.intValue() < min || value.intValue() > max) {
            throw invalidAt(path, "must be an integer between %d and %d".formatted(min, max));
        }
        return value.intValue();
    }

    /** A number without a fraction; some clients write 16.0 for 16. */
    private static boolean isWhole(JsonNode value) {
        if (!value.isNumber() || value.isIntegralNumber()) {
            return value.isIntegralNumber();
        }
        double number = value.doubleValue();
        return Double.isFinite(number) && number == Math.rint(number);
    }

    /** Reads a number that stands at {@code path}, where a map or an array holds it. */
    public static double number(JsonNode value, String path, Range range) {
        if (!value.isNumber() || !range.contains(doubleValue(value))) {
            throw invalidAt(path, "must be a number " + range);
        }
        return doubleValue(value);
    }

    /** The number, or infinity where it is too large; Jackson would throw. */
    private static double doubleValue(JsonNode number) {
        return number.isIntegralNumber() ? number.bigIntegerValue().doubleValue() : number.doubleValue();
    }
}
