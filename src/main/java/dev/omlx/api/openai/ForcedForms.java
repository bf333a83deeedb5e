package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Fields that force the answer's form: to ignore them would answer something else than was asked for. */
public final class ForcedForms {
    private static final List<String> FIELDS = List.of(
            "guided_json",
            "guided_regex",
            "guided_choice",
            "guided_grammar",
            "structured_outputs",
            "grammar",
            "json_schema",
            "regex",
            "ebnf",
            "format",
            "audio");

    private ForcedForms() {}

    /** Refuses those that several faces know. */
    static void refuse(JsonFields body) {
        for (String field : FIELDS) {
            JsonNode form = body.value(field);
            // some clients send empty texts for none
            if (form != null && !form.asString("given").isEmpty()) {
                throw body.invalid(field, "is not supported yet");
            }
        }
        requireText(body, "response_format");
        if (body.strings("modalities").contains("audio")) {
            throw body.invalid("modalities", "can only be text");
        }
    }

    /**
     * Refuses any format but text.
     *
     * @param name the field that holds the format
     */
    public static void requireText(JsonFields fields, String name) {
        JsonFields format = fields.fields(name);
        if (format != null) {
            String type = format.requireString("type");
            switch (type) {
                case "text" -> {}
                case "json_object", "json_schema" ->
                    throw fields.invalid(name, "of type " + type + " is not supported yet");
                default -> throw format.invalid("type", "must be one of json_object, json_schema, text");
            }
        }
    }
}
