package dev.omlx.api.equality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads chat completions and completions as OpenAI's own libraries do. */
final class OpenAiClient implements Client {
    @Override
    public Told whole(JsonNode answer) {
        List<String> choices = new ArrayList<>();
        for (JsonNode choice : answer.path("choices")) {
            Told.Choice told = new Told.Choice();
            JsonNode message = choice.path("message");
            told.text
                    .append(choice.path("text").asString(""))
                    .append(message.path("content").asString(""));
            told.thoughts.append(message.path("reasoning_content").asString(""));
            assertThat(message.path("reasoning")).isEqualTo(message.path("reasoning_content"));
            message.path("tool_calls")
                    .forEach(call -> told.call(
                            call.at("/function/name").stringValue(),
                            call.at("/function/arguments").stringValue()));
            addTokens(choice, told);
            told.reason = choice.path("finish_reason").stringValue();
            assertThat(choice.path("index").intValue()).isEqualTo(choices.size());
            choices.add(told.told());
        }
        return new Told(choices, answer.path("usage").toString());
    }

    @Override
    public Told streamed(String body) {
        List<JsonNode> chunks = Sse.data(body);
        assertThat(body).endsWith("data: [DONE]\n\n");
        Map<Integer, Streamed> choices = new TreeMap<>();
        JsonNode first = chunks.getFirst();
        for (JsonNode chunk : chunks) {
            for (String same : List.of("id", "object", "created", "model")) {
                assertThat(chunk.path(same)).isEqualTo(first.path(same));
            }
            chunk.path("choices")
                    .forEach(choice -> choices.computeIfAbsent(
                                    choice.path("index").intValue(), index -> new Streamed())
                            .add(choice));
        }
        JsonNode last = chunks.getLast();
        assertThat(last.path("choices")).isEmpty();
        assertThat(chunks.subList(0, chunks.size() - 1))
                .allMatch(chunk -> chunk.path("usage").isNull());
        return new Told(
                choices.values().stream().map(choice -> choice.told.told()).toList(),
                last.path("usage").toString());
    }

    private static void addTokens(JsonNode choice, Told.Choice told) {
        JsonNode logprobs = choice.path("logprobs");
        logprobs.path("content").forEach(told.tokens::append);
        // completions have a shape of their own
        for (int i = 0; i < logprobs.path("tokens").size(); i++) {
            told.tokens
                    .append(logprobs.path("tokens").get(i))
                    .append(logprobs.path("token_logprobs").get(i))
                    .append(logprobs.path("text_offset").get(i));
        }
    }

    private static final class Streamed {
        private final Told.Choice told = new Told.Choice();
        private final Map<Integer, String> ids = new HashMap<>();
        private @Nullable String name;
        private final StringBuilder arguments = new StringBuilder();

        void add(JsonNode choice) {
            assertThat(told.reason).as("nothing follows the end").isEmpty();
            JsonNode delta = choice.path("delta");
            told.text
                    .append(choice.path("text").asString(""))
                    .append(delta.path("content").asString(""));
            told.thoughts.append(delta.path("reasoning_content").asString(""));
            assertThat(delta.path("reasoning")).isEqualTo(delta.path("reasoning_content"));
            delta.path("tool_calls").forEach(this::call);
            addTokens(choice, told);
            told.reason = choice.path("finish_reason").asString("");
            if (!told.reason.isEmpty()) {
                endCall();
            }
        }

        private void call(JsonNode call) {
            int index = call.path("index").intValue();
            if (call.has("id")) {
                endCall();
                assertThat(index).isEqualTo(ids.size());
                assertThat(ids.values()).doesNotContain(call.path("id").stringValue());
                ids.put(index, call.path("id").stringValue());
                name = call.at("/function/name").stringValue();
            }
            assertThat(index).isEqualTo(ids.size() - 1);
            arguments.append(call.at("/function/arguments").asString(""));
        }

        private void endCall() {
            if (name != null) {
                told.call(name, arguments.toString());
                arguments.setLength(0);
                name = null;
            }
        }
    }
}
