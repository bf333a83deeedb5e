package dev.omlx.api.openai;

/** Bodies of chat requests. */
final class ChatBody {
    static final String PATH = "/v1/chat/completions";

    private ChatBody() {}

    /** A valid request with further fields, such as {@code "n": 2, "seed": 3}. */
    static String with(String fields) {
        String more = fields.isEmpty() ? "" : ", " + fields;
        return "{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]" + more + "}";
    }

    /** A request with that array of messages. */
    static String ofMessages(String messages) {
        return "{\"messages\": " + messages + "}";
    }
}
