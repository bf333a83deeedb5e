package dev.omlx.api.openai.responses;

import dev.omlx.api.json.Json;
import dev.omlx.api.stream.SseFrames;

/** Writes the frames of one stream, whose events are numbered. One frame at a time. */
final class ResponseStream {
    private int sent;

    /** The event's frame, as the next one of the stream. */
    String frame(StreamEvent event) {
        String json = Json.write(event);
        return SseFrames.event(event.type(), "{\"sequence_number\":" + sent++ + "," + json.substring(1));
    }
}
