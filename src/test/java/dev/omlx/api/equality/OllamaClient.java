package dev.omlx.api.equality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the lines of Ollama's chats and generations; a whole answer is a single one. */
final class OllamaClient implements Client {
    @Override
    public Told whole(JsonNode answer) {
        return told(List.of(answer));
    }

    @Override
    public Told streamed(String body) {
        return told(body.lines()
                .map(line -> (JsonNode) JsonMapper.shared().readTree(line))
                .toList());
    }

    private static Told told(List<JsonNode> lines) {
        Told.Choice told = new Told.Choice();
        for (JsonNode line : lines) {
            assertThat(line.path("done").booleanValue()).isEqualTo(line == lines.getLast());
            JsonNode said = line.has("message") ? line.path("message") : line;
            told.text
                    .append(said.path("content").asString(""))
                    .append(said.path("response").asString(""));
            told.thoughts.append(said.path("thinking").asString(""));
            said.path("tool_calls")
                    .forEach(call -> told.call(
                            call.at("/function/name").stringValue(),
                            call.at("/function/index") + " " + call.at("/function/arguments")));
            line.path("logprobs").forEach(told.tokens::append);
        }
        JsonNode last = lines.getLast();
        told.reason = last.path("done_reason").stringValue();
        return new Told(List.of(told.told()), last.path("prompt_eval_count") + "+" + last.path("eval_count"));
    }
}
