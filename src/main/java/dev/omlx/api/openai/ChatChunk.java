package dev.omlx.api.openai;

import org.jspecify.annotations.Nullable;

/** The parts of a chat completion's chunk that differ from one to the next. */
final class ChatChunk {
    static final String OBJECT = "chat.completion.chunk";

    private ChatChunk() {}

    /** What all chunks of a stream begin with. */
    record Head(String id, String object, long created, String model, String systemFingerprint) {}

    record Choice(
            int index,
            Delta delta,
            @Nullable LogprobsBody logprobs,
            @Nullable String finishReason) {}

    /** What a chunk adds to its choice's message. */
    sealed interface Delta {}

    /** The first of a choice. */
    record Opening(String role, String content, @Nullable String refusal) implements Delta {
        static final Opening ASSISTANT = new Opening("assistant", "", null);
    }

    record Text(String content) implements Delta {}

    /** Adds nothing. */
    record Nothing() implements Delta {
        static final Nothing INSTANCE = new Nothing();
    }
}
