package dev.omlx.api.openai;

/** Bodies of completion requests. */
final class CompletionBody {
    static final String PATH = "/v1/completions";

    private CompletionBody() {}

    /** A valid request with further fields, such as {@code "n": 2, "seed": 3}. */
    static String with(String fields) {
        return "{\"prompt\": \"Hi\"" + (fields.isEmpty() ? "" : ", " + fields) + "}";
    }
}
