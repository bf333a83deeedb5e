package dev.omlx.api.anthropic;

/** An event of a message's stream. Clients tell it by its name, and its body says the name again. */
sealed interface StreamEvent {
    String type();

    record MessageStart(String type, Message message) implements StreamEvent {
        MessageStart(Message message) {
            this("message_start", message);
        }
    }

    record BlockStart(String type, int index, Message.Block contentBlock) implements StreamEvent {
        BlockStart(int index, Message.Block contentBlock) {
            this("content_block_start", index, contentBlock);
        }
    }

    record BlockDelta(String type, int index, Delta delta) implements StreamEvent {
        BlockDelta(int index, Delta delta) {
            this("content_block_delta", index, delta);
        }
    }

    record BlockStop(String type, int index) implements StreamEvent {
        BlockStop(int index) {
            this("content_block_stop", index);
        }
    }

    /** @param usage of the whole message */
    record MessageDelta(String type, Message.Stop delta, Message.Counts usage) implements StreamEvent {
        MessageDelta(Message.Stop delta, Message.Counts usage) {
            this("message_delta", delta, usage);
        }
    }

    record MessageStop(String type) implements StreamEvent {
        MessageStop() {
            this("message_stop");
        }
    }

    record Ping(String type) implements StreamEvent {
        Ping() {
            this("ping");
        }
    }

    /** What is added to a block. */
    sealed interface Delta {
        String type();
    }

    record ThinkingDelta(String type, String thinking) implements Delta {
        ThinkingDelta(String thinking) {
            this("thinking_delta", thinking);
        }
    }

    /** The last of a thinking block. */
    record SignatureDelta(String type, String signature) implements Delta {
        SignatureDelta(String signature) {
            this("signature_delta", signature);
        }
    }

    /** More of the JSON text of a call's input. */
    record InputJsonDelta(String type, String partialJson) implements Delta {
        InputJsonDelta(String partialJson) {
            this("input_json_delta", partialJson);
        }
    }

    record TextDelta(String type, String text) implements Delta {
        TextDelta(String text) {
            this("text_delta", text);
        }
    }
}
