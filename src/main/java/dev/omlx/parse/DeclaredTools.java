package dev.omlx.parse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The functions that a model may call, and what their declarations ask of a call. Immutable. */
public final class DeclaredTools {
    /** No functions. */
    public static final DeclaredTools NONE = new DeclaredTools(Map.of());

    /** By name, the JSON Schema of the arguments. */
    private final Map<String, JsonNode> schemas;

    private DeclaredTools(Map<String, JsonNode> schemas) {
        this.schemas = Map.copyOf(schemas);
    }

    /** @param tools JSON objects in the shape of the OpenAI {@code tools} field; others are ignored */
    public static DeclaredTools of(List<? extends Map<String, ?>> tools) {
        Map<String, JsonNode> schemas = new HashMap<>();
        for (Map<String, ?> tool : tools) {
            JsonNode function = JsonMapper.shared().<JsonNode>valueToTree(tool).path("function");
            if (function.path("name").isString()) {
                schemas.put(function.path("name").stringValue(), function.path("parameters"));
            }
        }
        return new DeclaredTools(schemas);
    }

    boolean isEmpty() {
        return schemas.isEmpty();
    }

    boolean has(String name) {
        return schemas.containsKey(name);
    }

    /**
     * The arguments of a call as the text of an object, of the types that the declaration tells where the model only
     * spelled them; null where the call cannot be run: its function is not declared, its arguments are no object, or
     * lack one that is required.
     */
    @Nullable
    String arguments(RawCall call) {
        JsonNode schema = schemas.get(call.name());
        JsonNode given = unwrapped(call.arguments());
        if (schema == null || !(given instanceof ObjectNode object)) {
            return null;
        }
        ObjectNode arguments = call.spelled() ? typed(object, schema.path("properties")) : object;
        for (JsonNode required : schema.path("required")) {
            if (required.isString() && !arguments.has(required.stringValue())) {
                return null;
            }
        }
        String text = Json.write(arguments);
        return isSound(text) ? text : null;
    }

    /** Some models write the object into a string. */
    private static @Nullable JsonNode unwrapped(JsonNode arguments) {
        return arguments.isString() ? Json.read(arguments.stringValue()) : arguments;
    }

    private static ObjectNode typed(ObjectNode spelled, JsonNode properties) {
        ObjectNode typed = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> argument : spelled.properties()) {
            String text = argument.getValue().stringValue();
            typed.set(argument.getKey(), typed(text, types(properties.path(argument.getKey()))));
        }
        return typed;
    }

    /** The text itself where a string is declared; otherwise the value that it spells, if it has a declared type. */
    private static JsonNode typed(String text, List<String> types) {
        JsonNode string = JsonNodeFactory.instance.stringNode(text);
        JsonNode value = types.equals(List.of("string")) ? null : Json.read(pythonic(text.strip()));
        if (value == null || value.isString() && types.isEmpty()) {
            return string;
        }
        return types.isEmpty() || types.stream().anyMatch(type -> isOf(type, value)) ? value : string;
    }

    /** Templates show models Python's words, so models write them. */
    private static String pythonic(String text) {
        return switch (text) {
            case "True" -> "true";
            case "False" -> "false";
            case "None" -> "null";
            default -> text;
        };
    }

    /** The types that a schema allows; empty for any. */
    private static List<String> types(JsonNode schema) {
        List<String> types = new ArrayList<>();
        JsonNode type = schema.path("type");
        if (type.isString()) {
            types.add(type.stringValue());
        }
        for (JsonNode one : type) {
            types.add(one.asString(""));
        }
        for (String choice : List.of("anyOf", "oneOf")) {
            for (JsonNode one : schema.path(choice)) {
                types.addAll(types(one));
            }
        }
        if (types.isEmpty() && schema.path("enum").isArray() && allStrings(schema.path("enum"))) {
            types.add("string");
        }
        return types;
    }

    private static boolean allStrings(JsonNode values) {
        return values.valueStream().allMatch(JsonNode::isString);
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> true;
        };
    }

    /** Whether no half of a surrogate pair is in it, which has no UTF-8. */
    private static boolean isSound(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
