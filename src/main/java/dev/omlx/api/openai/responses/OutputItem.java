package dev.omlx.api.openai.responses;

import dev.omlx.api.json.Json;
import dev.omlx.api.json.TokenLogprobBody;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.util.List;

/** An item of a response on the wire. */
sealed interface OutputItem {
    String IN_PROGRESS = "in_progress";
    String COMPLETED = "completed";
    String INCOMPLETE = "incomplete";

    String id();

    /** What it means to the model that goes on from it. */
    Item.Part part();

    default Item item() {
        return new Item(id(), part(), Json.write(this));
    }

    /** What the model said; without content while nothing was said. */
    record Message(String type, String id, String status, String role, List<Text> content) implements OutputItem {
        Message(String id, String status, List<Text> content) {
            this("message", id, status, "assistant", content);
        }

        @Override
        public Item.Part part() {
            return new Item.Message(role, content.getFirst().text());
        }
    }

    /**
     * What the model thought: in full as {@code content}, or as {@code summary} where the client asked for one, as most
     * clients can show nothing else. Nothing is left out of a summary.
     */
    record Reasoning(String type, String id, String status, List<Part> summary, List<Part> content)
            implements OutputItem {
        Reasoning(String id, String status, List<Part> summary, List<Part> content) {
            this("reasoning", id, status, summary, content);
        }

        @Override
        public Item.Part part() {
            return new Item.Thoughts(
                    (summary.isEmpty() ? content : summary).getFirst().text());
        }
    }

    /**
     * The model calls a function.
     *
     * @param callId which the result has to name
     * @param arguments the text of a JSON object; empty while they are not known
     */
    record FunctionCall(String type, String id, String status, String callId, String name, String arguments)
            implements OutputItem {
        FunctionCall(String id, String status, String callId, String name, String arguments) {
            this("function_call", id, status, callId, name, arguments);
        }

        @Override
        public Item.Part part() {
            return new Item.Call(new ToolCall(callId, name, arguments));
        }
    }

    /** A part of an item's content. */
    sealed interface ContentPart {}

    record Text(String type, String text, List<Object> annotations, List<TokenLogprobBody> logprobs)
            implements ContentPart {
        Text(String text, List<TokenLogprobBody> logprobs) {
            this("output_text", text, List.of(), logprobs);
        }
    }

    /** A part of thoughts, in full or as a summary. */
    record Part(String type, String text) implements ContentPart {}
}
