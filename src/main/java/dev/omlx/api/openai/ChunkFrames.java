package dev.omlx.api.openai;

import dev.omlx.api.json.Json;
import dev.omlx.api.stream.SseFrames;
import dev.omlx.engine.api.ModelDescription;

/** The frames of a stream of chunks. What all chunks have in common is written once. */
final class ChunkFrames {
    static final String DONE = SseFrames.data("[DONE]");

    private final String head;
    private final String tail;

    /**
     * @param object what the chunks call themselves
     * @param created when the answer began, in seconds since 1970
     * @param includeUsage whether a last chunk will count tokens
     */
    ChunkFrames(String id, String object, long created, ModelDescription model, boolean includeUsage) {
        String common = Json.write(new Head(id, object, created, model.id(), Fingerprint.of(model)));
        head = common.substring(0, common.length() - 1) + ",\"choices\":[";
        tail = includeUsage ? "],\"usage\":null}" : "]}";
    }

    String chunk(Object choice) {
        return SseFrames.data(head + Json.write(choice) + tail);
    }

    String usage(UsageBody usage) {
        return SseFrames.data(head + "],\"usage\":" + Json.write(usage) + "}");
    }

    private record Head(String id, String object, long created, String model, String systemFingerprint) {}
}
