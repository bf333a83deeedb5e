package dev.omlx.api.request;

import java.util.LinkedHashMap;
import java.util.Map;

/** Where a function's own fields stand in an object that is a tool, or names one. */
public enum ToolShape {
    /** In an object of their own, as in chat completions. */
    NESTED {
        @Override
        public JsonFields fields(JsonFields object, String kind) {
            return object.requireFields(kind);
        }

        @Override
        Map<String, Object> tool(JsonFields tool, Map<String, Object> function) {
            Map<String, Object> copy = new LinkedHashMap<>(tool.map());
            copy.put(FUNCTION, function);
            return copy;
        }
    },
    /** Beside the type, as in responses. */
    FLAT {
        @Override
        public JsonFields fields(JsonFields object, String kind) {
            return object;
        }

        @Override
        Map<String, Object> tool(JsonFields tool, Map<String, Object> function) {
            Map<String, Object> own = new LinkedHashMap<>(function);
            own.remove("type");
            Map<String, Object> nested = new LinkedHashMap<>();
            nested.put("type", FUNCTION);
            nested.put(FUNCTION, own);
            return nested;
        }
    };

    /** The kind of tools that are functions, and the field of a nested one. */
    public static final String FUNCTION = "function";

    /** The fields that are the object's as one of that kind. */
    public abstract JsonFields fields(JsonFields object, String kind);

    /** The tool as the model is shown it: a nested one. */
    abstract Map<String, Object> tool(JsonFields tool, Map<String, Object> function);
}
