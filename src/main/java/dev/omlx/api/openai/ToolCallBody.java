package dev.omlx.api.openai;

import dev.omlx.engine.api.GenerationEvent;

/** A tool call of a whole message. */
record ToolCallBody(String id, String type, Function function) {
    static final String FUNCTION = "function";

    static ToolCallBody of(GenerationEvent.ToolCall call) {
        return new ToolCallBody(call.id(), FUNCTION, new Function(call.name(), call.arguments()));
    }

    record Function(String name, String arguments) {}
}
