package dev.omlx.parse;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A call as a model wrote it.
 *
 * @param id the model's name for the call
 * @param arguments should be an object, or a string that holds one
 * @param spelled whether the arguments are bare text whose types the declaration tells
 */
record RawCall(@Nullable String id, String name, JsonNode arguments, boolean spelled) {
    RawCall(@Nullable String id, String name, JsonNode arguments) {
        this(id, name, arguments, false);
    }
}
