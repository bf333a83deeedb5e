package dev.omlx.api.equality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads messages as Anthropic's own libraries do: the stream is put together to a message first. */
final class AnthropicClient implements Client {
    @Override
    public Told whole(JsonNode message) {
        Told.Choice told = new Told.Choice();
        for (JsonNode block : message.path("content")) {
            switch (block.path("type").stringValue()) {
                case "text" -> {
                    told.part('t');
                    told.text.append(block.path("text").stringValue());
                }
                case "thinking" -> {
                    told.part('r');
                    told.thoughts.append(block.path("thinking").stringValue());
                    assertThat(block.path("signature").stringValue()).isNotEmpty();
                }
                default -> {
                    told.part('c');
                    told.call(
                            block.path("name").stringValue(),
                            block.path("input").toString());
                }
            }
        }
        told.reason = message.path("stop_reason") + "/" + message.path("stop_sequence");
        return new Told(List.of(told.told()), message.path("usage").toString());
    }

    @Override
    public Told streamed(String body) {
        List<JsonNode> events = Sse.data(body);
        ObjectNode message = (ObjectNode) events.getFirst().get("message");
        ArrayNode content = (ArrayNode) message.get("content");
        StringBuilder input = new StringBuilder();
        boolean open = false;
        for (JsonNode event : events) {
            switch (event.path("type").stringValue()) {
                case "content_block_start" -> {
                    assertThat(open).isFalse();
                    open = true;
                    assertThat(event.path("index").intValue()).isEqualTo(content.size());
                    content.add(event.get("content_block"));
                }
                case "content_block_delta" -> {
                    assertThat(open).isTrue();
                    add(event.path("delta"), last(content, event), input);
                }
                case "content_block_stop" -> {
                    open = false;
                    ObjectNode block = last(content, event);
                    if (block.path("type").stringValue().equals("tool_use")) {
                        block.set("input", JsonMapper.shared().readTree(input.isEmpty() ? "{}" : input.toString()));
                        input.setLength(0);
                    }
                }
                case "message_delta" -> {
                    message.setAll((ObjectNode) event.get("delta"));
                    ((ObjectNode) message.get("usage")).setAll((ObjectNode) event.get("usage"));
                }
                default -> {}
            }
        }
        assertThat(open).isFalse();
        assertThat(events.getLast().path("type").stringValue()).isEqualTo("message_stop");
        return whole(message);
    }

    private static ObjectNode last(ArrayNode content, JsonNode event) {
        assertThat(event.path("index").intValue()).isEqualTo(content.size() - 1);
        return (ObjectNode) content.get(content.size() - 1);
    }

    private static void add(JsonNode delta, ObjectNode block, StringBuilder input) {
        String field = switch (delta.path("type").stringValue()) {
            case "text_delta" -> "text";
            case "thinking_delta" -> "thinking";
            case "signature_delta" -> "signature";
            default -> "";
        };
        if (field.isEmpty()) {
            input.append(delta.path("partial_json").stringValue());
        } else {
            // a delta of another kind than its block would find no such field
            block.put(field, block.get(field).stringValue() + delta.path(field).stringValue());
        }
    }
}
