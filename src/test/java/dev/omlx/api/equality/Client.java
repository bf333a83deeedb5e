package dev.omlx.api.equality;

import tools.jackson.databind.JsonNode;

/** Reads the answers of a face in both modes, and knows nothing of how the server makes them. */
interface Client {
    Told whole(JsonNode answer);

    /** @param body all that was streamed */
    Told streamed(String body);
}
