package dev.omlx.api.equality;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Server-sent events, as a browser reads them. */
final class Sse {
    private Sse() {}

    /** The data of all events that have JSON; where events have names, the data must say the same. */
    static List<JsonNode> data(String body) {
        List<JsonNode> all = new ArrayList<>();
        String name = "";
        for (String line : body.split("\n")) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length());
            } else if (line.startsWith("data: {")) {
                JsonNode data = JsonMapper.shared().readTree(line.substring("data: ".length()));
                if (!name.isEmpty() && !data.path("type").asString("").equals(name)) {
                    throw new AssertionError("the event " + name + " says: " + line);
                }
                all.add(data);
                name = "";
            }
        }
        return all;
    }
}
