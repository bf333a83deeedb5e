package dev.omlx.api.equality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads responses: of a stream the deltas, and of its last event how it ended. */
final class ResponsesClient implements Client {
    @Override
    public Told whole(JsonNode response) {
        Told.Choice told = new Told.Choice();
        for (JsonNode item : response.path("output")) {
            switch (item.path("type").stringValue()) {
                case "message" ->
                    item.path("content").forEach(part -> {
                        told.part('t');
                        told.text.append(part.path("text").stringValue());
                        part.path("logprobs").forEach(told.tokens::append);
                    });
                case "reasoning" -> {
                    told.part('r');
                    item.path("content")
                            .forEach(part ->
                                    told.thoughts.append(part.path("text").stringValue()));
                }
                default -> {
                    told.part('c');
                    told.call(
                            item.path("name").stringValue(),
                            item.path("arguments").stringValue());
                }
            }
        }
        return told(told, response);
    }

    @Override
    public Told streamed(String body) {
        List<JsonNode> events = Sse.data(body);
        Told.Choice told = new Told.Choice();
        String name = "";
        StringBuilder arguments = new StringBuilder();
        for (int i = 0; i < events.size(); i++) {
            JsonNode event = events.get(i);
            assertThat(event.path("sequence_number").intValue()).isEqualTo(i);
            switch (event.path("type").stringValue()) {
                case "response.output_item.added" -> {
                    String type = event.at("/item/type").stringValue();
                    told.part(type.equals("message") ? 't' : type.equals("reasoning") ? 'r' : 'c');
                    name = event.at("/item/name").asString("");
                }
                case "response.output_text.delta" -> {
                    told.text.append(event.path("delta").stringValue());
                    event.path("logprobs").forEach(told.tokens::append);
                }
                case "response.reasoning_text.delta" ->
                    told.thoughts.append(event.path("delta").stringValue());
                case "response.function_call_arguments.delta" ->
                    arguments.append(event.path("delta").stringValue());
                case "response.function_call_arguments.done" -> {
                    told.call(name, arguments.toString());
                    arguments.setLength(0);
                }
                default -> {}
            }
        }
        return told(told, events.getLast().path("response"));
    }

    private static Told told(Told.Choice told, JsonNode response) {
        told.reason = response.path("status").stringValue() + response.path("incomplete_details");
        return new Told(List.of(told.told()), response.path("usage").toString());
    }
}
