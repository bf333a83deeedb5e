package dev.omlx.api.openai.responses;

import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests for responses, written with single quotes, and what they bring. */
final class ResponseTestBody {
    static final String PATH = "/v1/responses";

    private ResponseTestBody() {}

    /** A valid request with further fields, such as {@code 'store': false}. */
    static String with(String fields) {
        return json("{'input': 'Hi'" + (fields.isEmpty() ? "" : ", ") + fields + "}");
    }

    /** A request with those items. */
    static String ofItems(String items, String fields) {
        return json("{'input': [" + items + "]" + (fields.isEmpty() ? "" : ", ") + fields + "}");
    }

    static String json(String singleQuoted) {
        return singleQuoted.replace('\'', '"');
    }

    /** The whole response to a request that is served. */
    static JsonNode whole(TestServer server, String body) {
        return tree(body(server.post(PATH, body)));
    }

    /** The events of a streamed response. */
    static List<JsonNode> stream(TestServer server, String body) {
        String streamed = body.substring(0, body.length() - 1) + ", \"stream\": true}";
        return events(body(server.post(PATH, streamed)));
    }

    static List<JsonNode> events(String frames) {
        return Stream.of(frames.split("\n\n"))
                .map(frame -> tree(frame.substring(frame.indexOf("\ndata: ") + "\ndata: ".length())))
                .toList();
    }

    static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json);
    }

    /** Without what differs between any two responses. */
    static String anonymous(JsonNode response) {
        return response.toString()
                .replaceAll("(resp|msg|rs|fc)_[0-9a-f]{32}", "$1")
                .replaceAll("(\"(created|completed)_at\"):\\d+", "$1");
    }

    private static String body(EntityExchangeResult<String> result) {
        if (result.getStatus().value() != 200) {
            throw new AssertionError(result.getStatus() + ": " + result.getResponseBody());
        }
        return Objects.requireNonNull(result.getResponseBody());
    }
}
