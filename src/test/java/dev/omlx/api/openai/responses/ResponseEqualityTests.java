package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Streamed is whole: what a client puts together out of the events is the response, whatever the model does. */
class ResponseEqualityTests {
    private static final int ANSWERS = 300;

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @RegisterExtension
    static final TestServer slow = TestServer.with("omlx.server.streaming-interval=3");

    @Test
    void addsUpToTheWholeResponse() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < ANSWERS; i++) {
            TestServer used = random.nextBoolean() ? server : slow;
            List<GenerationEvent> answer = answer(random);
            Script script = Script.empty().start();
            answer.forEach(script::emit);
            used.engine().play(script.complete(answer.size()));
            String body = ResponseTestBody.with(options(random));
            String what = "seed %d, answer %d: %s, %s".formatted(seed, i, body, answer);

            List<JsonNode> events = ResponseTestBody.stream(used, body);
            JsonNode last = events.getLast().get("response");

            assertThat(ResponseTestBody.anonymous(last))
                    .as(what)
                    .isEqualTo(ResponseTestBody.anonymous(ResponseTestBody.whole(used, body)));
            assertThat(rebuilt(events)).as(what).isEqualTo(last.get("output"));
        }
    }

    private static String options(Random random) {
        return "'store': " + random.nextBoolean()
                + (random.nextBoolean() ? ", 'reasoning': {'summary': 'auto'}" : "")
                + (random.nextBoolean() ? ", 'include': ['message.output_text.logprobs']" : "");
    }

    private static List<GenerationEvent> answer(Random random) {
        List<GenerationEvent> events = new ArrayList<>();
        boolean logprobs = random.nextBoolean();
        for (int i = random.nextInt(12); i > 0; i--) {
            String text = List.of("a", " é", "😀", "\n\"", "<x>").get(random.nextInt(5));
            events.add(
                    switch (random.nextInt(5)) {
                        case 0 -> new ReasoningDelta(0, text);
                        case 1 -> new ToolCall(0, "call_" + i, "f", "{\"a\":" + i + "}");
                        case 2 -> delta("", logprobs);
                        default -> delta(text, logprobs);
                    });
        }
        events.add(new ChoiceFinished(0, FinishReason.values()[random.nextInt(3)], null));
        return events;
    }

    private static Delta delta(String text, boolean logprobs) {
        TokenLogprob token = new TokenLogprob(1, text, new byte[] {1}, -1, List.of());
        return new Delta(0, text, logprobs ? List.of(token) : List.of());
    }

    /** The output as a client has it that knows of nothing but starts, deltas and ends. */
    private static ArrayNode rebuilt(List<JsonNode> events) {
        ArrayNode output = JsonMapper.shared().createArrayNode();
        StringBuilder deltas = new StringBuilder();
        String text = "";
        for (JsonNode event : events) {
            String type = event.get("type").stringValue();
            switch (type.substring(type.lastIndexOf('.') + 1)) {
                case "added" -> {
                    if (event.has("item")) {
                        output.add(event.get("item"));
                        assertThat(event.get("output_index").intValue()).isEqualTo(output.size() - 1);
                    } else {
                        part(output, type).add(event.get("part"));
                    }
                }
                case "delta" -> deltas.append(event.get("delta").stringValue());
                case "done" -> {
                    if (event.has("text") || event.has("arguments")) {
                        text = event.get(event.has("text") ? "text" : "arguments")
                                .stringValue();
                        assertThat(deltas).hasToString(text);
                        deltas.setLength(0);
                    }
                    if (event.has("arguments")) {
                        last(output).put("arguments", text);
                    }
                    if (event.has("part")) {
                        part(output, type).removeAll().add(event.get("part"));
                        assertThat(event.at("/part/text").stringValue()).isEqualTo(text);
                    }
                    if (event.has("item")) {
                        last(output).set("status", event.at("/item/status"));
                        assertThat(last(output)).isEqualTo(event.get("item"));
                    }
                }
                default -> {}
            }
        }
        return output;
    }

    private static ObjectNode last(ArrayNode output) {
        return (ObjectNode) output.get(output.size() - 1);
    }

    private static ArrayNode part(ArrayNode output, String type) {
        return (ArrayNode) last(output).get(type.contains("summary") ? "summary" : "content");
    }
}
