package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;

class ResponseStreamTests {
    private static final Script ALL_KINDS = Script.empty()
            .start()
            .emit(new ReasoningDelta(0, "Let me "))
            .emit(new ReasoningDelta(0, "see."))
            .say("I ")
            .say("look.")
            .emit(new ToolCall(0, "call_1", "f", "{\"a\":1}"))
            .emit(new ChoiceFinished(0, FinishReason.TOOL_CALLS, null))
            .complete(9);

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @RegisterExtension
    static final TestServer impatient = TestServer.with("omlx.server.sse-keepalive=50ms");

    @RegisterExtension
    static final TestServer slow = TestServer.with("omlx.server.streaming-interval=3");

    @Test
    void sendsEventsInTheirOrder() {
        server.engine().play(ALL_KINDS);

        assertThat(types(stream("")))
                .containsExactly(
                        "response.created",
                        "response.in_progress",
                        "response.output_item.added",
                        "response.content_part.added",
                        "response.reasoning_text.delta",
                        "response.reasoning_text.delta",
                        "response.reasoning_text.done",
                        "response.content_part.done",
                        "response.output_item.done",
                        "response.output_item.added",
                        "response.content_part.added",
                        "response.output_text.delta",
                        "response.output_text.delta",
                        "response.output_text.done",
                        "response.content_part.done",
                        "response.output_item.done",
                        "response.output_item.added",
                        "response.function_call_arguments.delta",
                        "response.function_call_arguments.done",
                        "response.output_item.done",
                        "response.completed");
    }

    @Test
    void numbersAndNamesEachEventAndEndsWithoutDone() {
        EntityExchangeResult<String> response =
                server.post(ResponseTestBody.PATH, ResponseTestBody.with("'stream': true"));

        assertThat(response.getResponseHeaders().getFirst(HttpHeaders.CONTENT_TYPE))
                .startsWith("text/event-stream");
        String frames = Objects.requireNonNull(response.getResponseBody());
        for (String frame : frames.split("\n\n")) {
            assertThat(frame)
                    .matches("event: (response\\.[a-z_.]+)\ndata: \\{\"sequence_number\":\\d+,\"type\":\"\\1\".*");
        }
        assertThat(frames).doesNotContain("[DONE]").endsWith("}\n\n");
        assertNumbered(ResponseTestBody.events(frames));
    }

    @Test
    void tellsOfEachItemWhereItBelongs() {
        server.engine().play(ALL_KINDS);

        List<JsonNode> events = stream("");

        int index = -1;
        String id = "";
        for (JsonNode event : events.subList(2, events.size() - 1)) {
            if (event.get("type").stringValue().equals("response.output_item.added")) {
                index++;
                id = event.at("/item/id").stringValue();
                assertThat(event.at("/item/status").stringValue()).isEqualTo("in_progress");
            }
            assertThat(event.get("output_index").intValue()).isEqualTo(index);
            String named = event.has("item")
                    ? event.at("/item/id").stringValue()
                    : event.get("item_id").stringValue();
            assertThat(named).isEqualTo(id);
        }
        assertThat(index).isEqualTo(2);
        assertThat(events.get(4).get("content_index").intValue()).isZero();
        assertThat(events.get(3).get("part").toString()).isEqualTo("{\"type\":\"reasoning_text\",\"text\":\"\"}");
    }

    @Test
    void addsUpToTheWholeResponse() {
        server.engine().play(ALL_KINDS);

        List<JsonNode> events = stream("'metadata': {'a': 'b'}");
        JsonNode whole = ResponseTestBody.whole(server, ResponseTestBody.with("'metadata': {'a': 'b'}"));

        JsonNode last = events.getLast().get("response");
        assertThat(ResponseTestBody.anonymous(last)).isEqualTo(ResponseTestBody.anonymous(whole));
        List<JsonNode> done = events.stream()
                .filter(event -> event.get("type").stringValue().equals("response.output_item.done"))
                .map(event -> event.get("item"))
                .toList();
        assertThat(last.get("output")).containsExactlyElementsOf(done);
        assertThat(deltas(events, "response.reasoning_text.delta"))
                .isEqualTo(last.at("/output/0/content/0/text").stringValue());
        assertThat(deltas(events, "response.output_text.delta"))
                .isEqualTo(last.at("/output/1/content/0/text").stringValue());
        assertThat(deltas(events, "response.function_call_arguments.delta"))
                .isEqualTo(last.at("/output/2/arguments").stringValue());
        JsonNode first = events.getFirst().get("response");
        assertThat(first.get("id")).isEqualTo(last.get("id"));
        assertThat(first.get("status").stringValue()).isEqualTo("in_progress");
        assertThat(first.get("output")).isEmpty();
        assertThat(first.get("usage").isNull()).isTrue();
    }

    @Test
    void tellsThoughtsAsTheSummaryThatWasAskedFor() {
        server.engine().play(ALL_KINDS);

        List<JsonNode> events = stream("'reasoning': {'summary': 'auto'}");

        assertThat(types(events).subList(2, 9))
                .containsExactly(
                        "response.output_item.added",
                        "response.reasoning_summary_part.added",
                        "response.reasoning_summary_text.delta",
                        "response.reasoning_summary_text.delta",
                        "response.reasoning_summary_text.done",
                        "response.reasoning_summary_part.done",
                        "response.output_item.done");
        assertThat(events.get(6).get("text").stringValue()).isEqualTo("Let me see.");
        assertThat(events.get(6).get("summary_index").intValue()).isZero();
    }

    @Test
    void saysWhereItWasCut() {
        List<JsonNode> events = stream("'max_output_tokens': 1");

        JsonNode last = events.getLast();
        assertThat(last.get("type").stringValue()).isEqualTo("response.incomplete");
        assertThat(last.at("/response/incomplete_details/reason").stringValue()).isEqualTo("max_output_tokens");
        assertThat(events.get(events.size() - 2).at("/item/status").stringValue())
                .isEqualTo("incomplete");
    }

    @Test
    void saysWhyAnOpenStreamFailed() {
        server.engine().play(Script.empty().start().say("a").fail(new EngineException.Failed("out of memory", null)));

        List<JsonNode> events = stream("");

        JsonNode last = events.getLast();
        assertThat(last.get("type").stringValue()).isEqualTo("response.failed");
        assertThat(last.at("/response/status").stringValue()).isEqualTo("failed");
        assertThat(last.at("/response/error").toString())
                .isEqualTo("{\"code\":\"server_error\",\"message\":\"out of memory\"}");
        assertNumbered(events);
    }

    @Test
    void saysThatTheServerIsOverloadedInTheWordsOfCodex() {
        server.engine()
                .play(Script.empty().start().fail(new EngineException.Unavailable("the server is shutting down")));

        assertThat(stream("").getLast().at("/response/error/code").stringValue())
                .isEqualTo("server_is_overloaded");
    }

    @Test
    void answersPlainlyWhereTheRequestWasNotAccepted() {
        server.engine().play(Script.empty().fail(new EngineException.Overloaded("full", Duration.ofSeconds(3))));

        EntityExchangeResult<String> refused =
                server.post(ResponseTestBody.PATH, ResponseTestBody.with("'stream': true"));

        assertThat(refused.getStatus().value()).isEqualTo(429);
        assertThat(refused.getResponseHeaders().getFirst("Retry-After")).isEqualTo("3");
        assertThat(refused.getResponseBody()).startsWith("{\"error\":{\"message\":\"full\"");
    }

    @Test
    void fillsSilencesWithEventsThatCount() {
        impatient
                .engine()
                .play(Script.empty()
                        .start()
                        .pause(Duration.ofMillis(400))
                        .say("late")
                        .stop(1));

        List<JsonNode> events = ResponseTestBody.stream(impatient, ResponseTestBody.with(""));

        assertNumbered(events);
        assertThat(types(events).stream().filter("response.in_progress"::equals))
                .hasSizeGreaterThan(2);
        assertThat(types(events).subList(0, 3))
                .containsExactly("response.created", "response.in_progress", "response.in_progress");
        assertThat(events.getLast().get("type").stringValue()).isEqualTo("response.completed");
    }

    @Test
    void sendsSeveralTokensInOneEventWhereToldTo() {
        slow.engine().play(Script.answer("1", "2", "3", "4", "5"));

        List<String> deltas = ResponseTestBody.stream(slow, ResponseTestBody.with("")).stream()
                .filter(event -> event.has("delta"))
                .map(event -> event.get("delta").stringValue())
                .toList();

        assertThat(deltas).containsExactly("1", "234", "5");
    }

    @Test
    void sendsLogprobsWithTheTextTheyBelongTo() {
        TokenLogprob half = new TokenLogprob(1, "?", new byte[] {(byte) 0xc3}, -1, List.of());
        TokenLogprob rest = new TokenLogprob(2, "?", new byte[] {(byte) 0xa9}, -2, List.of());
        TokenLogprob tail = new TokenLogprob(3, "?", new byte[] {(byte) 0xe2}, -3, List.of());
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new Delta(0, "", List.of(half)))
                        .emit(new Delta(0, "é", List.of(rest)))
                        .emit(new Delta(0, "", List.of(tail)))
                        .stop(3));

        List<JsonNode> events = stream("'include': ['message.output_text.logprobs']");

        assertThat(events.get(4).get("delta").stringValue()).isEqualTo("é");
        assertThat(events.get(4).get("logprobs")).hasSize(2);
        assertThat(events.get(5).get("delta").stringValue()).isEmpty();
        assertThat(events.get(5).get("logprobs")).hasSize(1);
        assertThat(events.get(6).get("type").stringValue()).isEqualTo("response.output_text.done");
        assertThat(events.get(6).get("logprobs")).hasSize(3);
        assertThat(events.getLast().at("/response/output/0/content/0/logprobs")).hasSize(3);
    }

    private static List<JsonNode> stream(String fields) {
        return ResponseTestBody.stream(server, ResponseTestBody.with(fields));
    }

    private static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.get("type").stringValue()).toList();
    }

    private static String deltas(List<JsonNode> events, String type) {
        return events.stream()
                .filter(event -> event.get("type").stringValue().equals(type))
                .map(event -> event.get("delta").stringValue())
                .reduce("", String::concat);
    }

    private static void assertNumbered(List<JsonNode> events) {
        assertThat(events)
                .extracting(event -> event.get("sequence_number").intValue())
                .containsExactlyElementsOf(
                        IntStream.range(0, events.size()).boxed().toList());
    }
}
