package dev.omlx.api.equality;

import dev.omlx.testsupport.Face;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The fields of a request, as each face calls them. */
final class Options {
    private static final String SCHEMA = "{\"type\": \"object\", \"required\": [\"city\"], \"properties\": "
            + "{\"city\": {\"type\": \"string\"}, \"days\": {\"type\": \"integer\"}}}";
    private static final List<String> STOPS = List.of("\"END\"", "\"lo\"", "\"\\n\\n\"", "\"😀\"", "\"arm.\"");

    private Options() {}

    /** Tools alone, where the face has any. */
    static String tools(Face face) {
        String function = "\"name\": \"%s\", \"description\": \"\"".formatted(Sayings.WEATHER);
        return switch (face) {
            case CHAT, OLLAMA_CHAT ->
                "\"tools\": [{\"type\": \"function\", \"function\": {%s, \"parameters\": %s}}]"
                        .formatted(function, SCHEMA);
            case RESPONSES ->
                "\"tools\": [{\"type\": \"function\", %s, \"parameters\": %s}]".formatted(function, SCHEMA);
            case MESSAGES -> "\"tools\": [{%s, \"input_schema\": %s}]".formatted(function, SCHEMA);
            case COMPLETIONS, OLLAMA_GENERATE -> "\"seed\": 1";
        };
    }

    /** Any of the options that the face has. */
    static String random(Face face, Random random) {
        List<String> fields = new ArrayList<>();
        if (random.nextInt(4) > 0) {
            fields.add(tools(face));
        }
        String most = random.nextInt(3) == 0 ? String.valueOf(1 + random.nextInt(40)) : "";
        String stop = random.nextInt(3) == 0 ? STOPS.get(random.nextInt(STOPS.size())) : "";
        boolean one = random.nextInt(5) == 0;
        boolean logprobs = random.nextInt(3) == 0;
        int choices = 1 + random.nextInt(3);
        switch (face) {
            case CHAT -> {
                add(fields, "max_tokens", most);
                add(fields, "stop", stop);
                add(fields, "n", String.valueOf(choices));
                add(fields, "parallel_tool_calls", one ? "false" : "");
                add(fields, "logprobs", logprobs ? "true" : "");
            }
            case COMPLETIONS -> {
                add(fields, "max_tokens", most.isEmpty() ? "1000" : most);
                add(fields, "stop", stop);
                add(fields, "n", String.valueOf(choices));
                add(fields, "logprobs", logprobs ? String.valueOf(choices) : "");
            }
            case RESPONSES -> {
                add(fields, "max_output_tokens", most);
                add(fields, "stop", stop);
                add(fields, "parallel_tool_calls", one ? "false" : "");
                add(fields, "include", logprobs ? "[\"message.output_text.logprobs\"]" : "");
            }
            case MESSAGES -> {
                add(fields, "max_tokens", most.isEmpty() ? "1000" : most);
                add(fields, "stop_sequences", stop.isEmpty() ? "" : "[" + stop + "]");
                add(fields, "tool_choice", one ? "{\"type\": \"auto\", \"disable_parallel_tool_use\": true}" : "");
            }
            case OLLAMA_CHAT, OLLAMA_GENERATE -> {
                List<String> options = new ArrayList<>();
                add(options, "num_predict", most);
                add(options, "stop", stop);
                add(fields, "options", "{" + String.join(", ", options) + "}");
                add(fields, "logprobs", logprobs ? "true" : "");
            }
        }
        return String.join(", ", fields);
    }

    private static void add(List<String> fields, String name, String value) {
        if (!value.isEmpty()) {
            fields.add("\"" + name + "\": " + value);
        }
    }
}
