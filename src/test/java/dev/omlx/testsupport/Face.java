package dev.omlx.testsupport;

/** The endpoints that generate, for what must hold at each of them. */
public enum Face {
    CHAT("/v1/chat/completions", "\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]"),
    COMPLETIONS("/v1/completions", "\"prompt\": \"Hi\""),
    RESPONSES("/v1/responses", "\"input\": \"Hi\", \"store\": false"),
    MESSAGES("/v1/messages", "\"max_tokens\": 100, \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]"),
    OLLAMA_CHAT("/api/chat", "\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]"),
    OLLAMA_GENERATE("/api/generate", "\"prompt\": \"Hi\"");

    private final String path;
    private final String question;

    Face(String path, String question) {
        this.path = path;
        this.question = question;
    }

    public String path() {
        return path;
    }

    /** Whether streams end with a line of JSON, and not with an event. */
    public boolean streamsLines() {
        return this == OLLAMA_CHAT || this == OLLAMA_GENERATE;
    }

    /** A valid request. */
    public String body(boolean stream) {
        return body(stream, "");
    }

    /** A valid request with further fields, such as {@code "n": 2, "seed": 3}. */
    public String body(boolean stream, String fields) {
        return "{\"model\": \"test/model\", %s, \"stream\": %s%s}"
                .formatted(question, stream, fields.isEmpty() ? "" : ", " + fields);
    }

    /** The beginning of a request's header, without what says how long the body is. */
    public String head() {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    }
}
