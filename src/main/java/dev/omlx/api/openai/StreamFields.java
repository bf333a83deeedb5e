package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;

/**
 * The fields {@code stream} and {@code stream_options}.
 *
 * @param stream send the answer as it is generated
 * @param includeUsage end the stream with a chunk that counts tokens
 */
public record StreamFields(boolean stream, boolean includeUsage) {
    public static StreamFields read(JsonFields body) {
        boolean stream = body.flag("stream", false);
        JsonFields options = body.fields("stream_options");
        if (options != null && !stream) {
            throw body.invalid("stream_options", "is only allowed when 'stream' is true");
        }
        return new StreamFields(stream, options != null && options.flag("include_usage", false));
    }
}
