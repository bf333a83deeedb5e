package dev.omlx.api.openai.responses;

import dev.omlx.engine.api.ChatMessage;

/**
 * One thing that was said, thought, called or returned.
 *
 * @param part what it means to the model
 * @param json the item on the wire, its id included
 */
record Item(String id, Part part, String json) {
    /** What an item weighs besides its texts, in bytes. */
    private static final int OVERHEAD = 256;

    /** Bytes that it takes to keep, roughly and at the most. */
    long size() {
        return OVERHEAD + Character.BYTES * (long) (json.length() + part.length());
    }

    /** What the model can be shown of an item. */
    sealed interface Part {
        /** Characters of its text. */
        int length();
    }

    /** @param role as {@link ChatMessage} has it */
    record Message(String role, String text) implements Part {
        @Override
        public int length() {
            return text.length();
        }
    }

    record Thoughts(String text) implements Part {
        @Override
        public int length() {
            return text.length();
        }
    }

    record Call(ChatMessage.ToolCall call) implements Part {
        @Override
        public int length() {
            return call.arguments().length();
        }
    }

    /** @param callId which call it answers */
    record Result(String callId, String text) implements Part {
        @Override
        public int length() {
            return text.length();
        }
    }
}
