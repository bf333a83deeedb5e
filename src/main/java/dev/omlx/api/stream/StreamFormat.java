package dev.omlx.api.stream;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.springframework.http.MediaType;

/** How the frames of a stream follow each other. */
public enum StreamFormat {
    /** Server-sent events; see {@link SseFrames}. */
    EVENTS(new MediaType(MediaType.TEXT_EVENT_STREAM, StandardCharsets.UTF_8)) {
        @Override
        String comment(Supplier<String> idle) {
            return SseFrames.comment("keep-alive");
        }
    },
    /** A JSON object a line; there are no comments. */
    LINES(MediaType.APPLICATION_NDJSON) {
        @Override
        String comment(Supplier<String> idle) {
            return idle.get();
        }
    };

    private final MediaType mediaType;

    StreamFormat(MediaType mediaType) {
        this.mediaType = mediaType;
    }

    MediaType mediaType() {
        return mediaType;
    }

    /** A frame that clients skip; {@code idle}, which says nothing to them, where there is none. */
    abstract String comment(Supplier<String> idle);
}
