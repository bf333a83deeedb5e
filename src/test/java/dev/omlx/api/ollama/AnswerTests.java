package dev.omlx.api.ollama;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.RandomNumbers;
import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code /api/chat} and {@code /api/generate}. */
class AnswerTests {
    private static final String CHAT = "/api/chat";
    private static final String GENERATE = "/api/generate";
    private static final String HI = "'messages': [{'role': 'user', 'content': 'Hi'}]";
    private static final String ENDING = """
            "done":true,"done_reason":"stop","total_duration":3000000,"load_duration":1000000,"prompt_eval_count":7,\
            "prompt_eval_duration":1000000,"eval_count":2,"eval_duration":1000000}""";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @RegisterExtension
    static final TestServer impatient = TestServer.with("omlx.server.sse-keepalive=40ms");

    @RegisterExtension
    static final TestServer slow = TestServer.with("omlx.server.streaming-interval=3");

    private static EntityExchangeResult<String> post(TestServer to, String path, String fields) {
        return to.post(path, ("{'model': 'test/model', " + fields + "}").replace('\'', '"'));
    }

    private static EntityExchangeResult<String> chat(String fields) {
        return post(server, CHAT, HI + (fields.isEmpty() ? "" : ", " + fields));
    }

    private static EntityExchangeResult<String> generate(String fields) {
        return post(server, GENERATE, fields);
    }

    /** The body without the times at which its lines were made. */
    private static String timeless(EntityExchangeResult<String> response) {
        String body = String.valueOf(response.getResponseBody());
        assertThat(response.getStatus().value()).as(body).isEqualTo(200);
        return body.replaceAll("\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z\"", "\"NOW\"");
    }

    private static GenerationRequest request(EntityExchangeResult<String> response) {
        timeless(response);
        return server.engine().lastRequest();
    }

    private static List<JsonNode> lines(EntityExchangeResult<String> response) {
        String body = String.valueOf(response.getResponseBody());
        assertThat(body).endsWith("}\n").doesNotContain("\n\n");
        return body.lines().map(line -> JsonMapper.shared().readTree(line)).toList();
    }

    @Test
    void streamsUnlessToldNotTo() {
        EntityExchangeResult<String> response = chat("");

        assertThat(response.getResponseHeaders().getFirst(HttpHeaders.CONTENT_TYPE))
                .isEqualTo("application/x-ndjson");
        assertThat(timeless(response)).isEqualTo("""
                {"model":"test/model","created_at":"NOW","message":{"role":"assistant","content":""},"done":false}
                {"model":"test/model","created_at":"NOW","message":{"role":"assistant","content":"Hello"},"done":false}
                {"model":"test/model","created_at":"NOW","message":{"role":"assistant","content":" world"},"done":false}
                {"model":"test/model","created_at":"NOW","message":{"role":"assistant","content":""},\
                """ + ENDING + "\n");
    }

    @Test
    void answersInOnePiece() {
        EntityExchangeResult<String> response = chat("'stream': false");

        assertThat(response.getResponseHeaders().getFirst(HttpHeaders.CONTENT_TYPE))
                .isEqualTo("application/json");
        assertThat(timeless(response))
                .isEqualTo("{\"model\":\"test/model\",\"created_at\":\"NOW\","
                        + "\"message\":{\"role\":\"assistant\",\"content\":\"Hello world\"}," + ENDING);
    }

    @Test
    void generatesInWordsOfItsOwn() {
        assertThat(timeless(generate("'prompt': 'Hi', 'stream': false")))
                .isEqualTo("{\"model\":\"test/model\",\"created_at\":\"NOW\",\"response\":\"Hello world\"," + ENDING);
        assertThat(timeless(generate("'prompt': 'Hi'")))
                .contains("\n{\"model\":\"test/model\",\"created_at\":\"NOW\",\"response\":\"Hello\",\"done\":false}\n")
                .endsWith("\"response\":\"\"," + ENDING + "\n");
    }

    @Test
    void takesSeveralTokensForALine() {
        slow.engine().play(Script.answer("a", "b", "c", "d", "e", "f"));

        assertThat(lines(post(slow, CHAT, HI)))
                .extracting(line -> line.at("/message/content").stringValue())
                .containsExactly("", "a", "bcd", "ef", "");
    }

    @Test
    void namesTheModelAsItWasAsked() {
        for (String name : List.of("test/model", "test/model:latest", "alias", "alias:latest")) {
            String body = "{\"model\": \"" + name + "\", \"stream\": false, \"prompt\": \"Hi\"}";
            assertThat(timeless(server.post(GENERATE, body))).startsWith("{\"model\":\"" + name + "\",");
            assertThat(server.engine().lastRequest().model()).isEqualTo("test/model");
        }
        EntityExchangeResult<String> missing = server.post(CHAT, "{\"model\": \"none:latest\"}");
        assertThat(missing.getStatus().value()).isEqualTo(404);
        assertThat(missing.getResponseBody()).isEqualTo("{\"error\":\"the model 'none' does not exist\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"'messages': []", "'messages': [], 'stream': false, 'keep_alive': '5m'", "'keep_alive': -1"})
    void saysOfNoMessagesThatTheModelIsLoaded(String fields) {
        assertThat(timeless(post(server, CHAT, fields)))
                .isEqualTo(
                        "{\"model\":\"test/model\",\"created_at\":\"NOW\","
                                + "\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"load\"}");
        assertThat(server.engine().requests()).isEmpty();
    }

    @Test
    void saysOfNoPromptThatTheModelIsLoaded() {
        assertThat(timeless(generate("'prompt': ''")))
                .isEqualTo("{\"model\":\"test/model\",\"created_at\":\"NOW\",\"response\":\"\",\"done\":true,"
                        + "\"done_reason\":\"load\"}");
    }

    @Test
    void tellsThoughtsAndCalls() {
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new ReasoningDelta(0, "Hm."))
                        .say("Look:")
                        .emit(new GenerationEvent.ToolCall(0, "call_1", "get_weather", "{\"city\":\"Oslo\"}"))
                        .emit(new GenerationEvent.ToolCall(0, "call_2", "get_time", "{}"))
                        .emit(new ChoiceFinished(0, FinishReason.TOOL_CALLS, null))
                        .complete(9));
        String first =
                "{\"id\":\"call_1\",\"function\":{\"index\":0,\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}}";
        String second = "{\"id\":\"call_2\",\"function\":{\"index\":1,\"name\":\"get_time\",\"arguments\":{}}}";

        assertThat(timeless(chat("'stream': false")))
                .contains("\"message\":{\"role\":\"assistant\",\"content\":\"Look:\",\"thinking\":\"Hm.\","
                        + "\"tool_calls\":[" + first + "," + second + "]},\"done\":true,\"done_reason\":\"stop\"");
        assertThat(lines(chat("")))
                .extracting(line -> line.path("message").toString())
                .containsExactly(
                        "{\"role\":\"assistant\",\"content\":\"\"}",
                        "{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"Hm.\"}",
                        "{\"role\":\"assistant\",\"content\":\"Look:\"}",
                        "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[" + first + "]}",
                        "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[" + second + "]}",
                        "{\"role\":\"assistant\",\"content\":\"\"}");
    }

    @Test
    void saysThatItWasCut() {
        assertThat(timeless(chat("'options': {'num_predict': 1}")))
                .contains("\"done_reason\":\"length\"", "\"eval_count\":1,");
    }

    @Test
    void readsTheConversation() {
        Prompt prompt = request(post(server, CHAT, """
                'messages': [{'role': 'system', 'content': 's'}, {'role': 'user', 'content': 'u', 'images': []},
                 {'role': 'assistant', 'content': '', 'thinking': 't', 'tool_calls': [
                  {'id': 'c', 'function': {'name': 'f', 'arguments': {'a': 1}}}]},
                 {'role': 'tool', 'content': '42', 'tool_name': 'f', 'tool_call_id': 'c'},
                 {'role': 'assistant', 'content': 'So'}],
                'tools': [{'type': 'function', 'function': {'name': 'f', 'description': 'd',
                  'parameters': {'type': 'object'}}}], 'think': 'high'""")).prompt();

        assertThat(prompt)
                .isEqualTo(new Prompt.Chat(
                        List.of(
                                ChatMessage.of("system", "s"),
                                ChatMessage.user("u"),
                                new ChatMessage(
                                        "assistant", "", "t", List.of(new ToolCall("c", "f", "{\"a\":1}")), null, null),
                                new ChatMessage("tool", "42", null, List.of(), "c", "f")),
                        List.of(Map.of(
                                "type",
                                "function",
                                "function",
                                Map.of("name", "f", "description", "d", "parameters", Map.of("type", "object")))),
                        Map.of("enable_thinking", true, "reasoning_effort", "high"),
                        "So"));
    }

    @Test
    void readsThePrompt() {
        assertThat(request(generate("'prompt': 'Hi', 'system': 'Be brief', 'think': false"))
                        .prompt())
                .isEqualTo(new Prompt.Chat(
                        List.of(ChatMessage.of("system", "Be brief"), ChatMessage.user("Hi")),
                        List.of(),
                        Map.of("enable_thinking", false)));
        assertThat(request(generate("'prompt': 'Hi', 'raw': true, 'context': []"))
                        .prompt())
                .isEqualTo(new Prompt.Text("Hi"));
    }

    @Test
    void readsTheOptions() {
        GenerationRequest request = request(chat("""
                'options': {'temperature': 0.5, 'top_k': 40, 'top_p': 0.9, 'min_p': 0.1, 'seed': 7, 'num_predict': 5,
                 'stop': ['a', 'b', 'c', 'd', 'e'], 'repeat_penalty': 1.1, 'presence_penalty': 1,
                 'frequency_penalty': -1, 'num_ctx': 4096, 'num_gpu': 1}, 'keep_alive': 0, 'format': ''"""));

        assertThat(request.sampling().temperature()).isEqualTo(0.5);
        assertThat(request.sampling().topK()).isEqualTo(40);
        assertThat(request.sampling().topP()).isEqualTo(0.9);
        assertThat(request.sampling().minP()).isEqualTo(0.1);
        assertThat(request.sampling().seed()).isEqualTo(7);
        assertThat(request.sampling().repetitionPenalty()).isEqualTo(1.1);
        assertThat(request.sampling().presencePenalty()).isEqualTo(1);
        assertThat(request.sampling().frequencyPenalty()).isEqualTo(-1);
        assertThat(request.stop().maxTokens()).isEqualTo(5);
        assertThat(request.stop().stops()).containsExactly("a", "b", "c", "d", "e");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'num_predict': -1, 'seed': -1", "'num_predict': -2", "'num_predict': null, 'seed': null"})
    void leavesOptionsOpen(String options) {
        GenerationRequest request = request(chat("'options': {" + options + "}"));

        assertThat(request.stop().maxTokens()).isNull();
        assertThat(request.sampling().seed()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "messages[0].role      | 'messages': [{'role': 'nobody', 'content': 'x'}]",
                "messages[0].role      | 'messages': [{'content': 'x'}]",
                "messages[0].content   | 'messages': [{'role': 'user', 'content': 3}]",
                "messages[0].images    | 'messages': [{'role': 'user', 'content': 'x', 'images': ['aGk=']}]",
                "messages              | 'messages': {}",
                "tools                 | 'tools': {}",
                "tools[0].function.name | 'tools': [{'type': 'function', 'function': {'name': '?'}}]",
                "think                 | 'think': 'much'",
                "think                 | 'think': 1",
                "format                | 'format': 'json'",
                "format                | 'format': {'type': 'object'}",
                "logprobs              | 'logprobs': 2",
                "top_logprobs          | 'logprobs': true, 'top_logprobs': 21",
                "top_logprobs          | 'logprobs': true, 'top_logprobs': -1",
                "stream                | 'stream': 'yes'",
                "options               | 'options': []",
                "options.temperature   | 'options': {'temperature': 3}",
                "options.num_predict   | 'options': {'num_predict': 0}",
                "options.num_predict   | 'options': {'num_predict': -3}",
                "options.stop[0]       | 'options': {'stop': ['']}",
                "options.repeat_penalty | 'options': {'repeat_penalty': 'x'}",
                "keep_alive            | 'keep_alive': true",
                "tools[0].function     | 'messages': [], 'tools': [{'type': 'function'}]",
                "think                 | 'messages': [], 'think': 1",
                "keep_alive            | 'messages': [], 'keep_alive': 0",
                "keep_alive            | 'messages': [], 'keep_alive': '0s'",
            })
    void namesTheFieldOfAChat(String field, String fields) {
        assertRefused(post(server, CHAT, fields.contains("'messages'") ? fields : HI + ", " + fields), field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "prompt   | 'prompt': 3",
                "system   | 'prompt': 'x', 'system': 3",
                "template | 'prompt': 'x', 'template': '{{ .Prompt }}'",
                "suffix   | 'prompt': 'x', 'suffix': 'y'",
                "context  | 'prompt': 'x', 'context': [1]",
                "images   | 'prompt': 'x', 'images': ['aGk=']",
                "images   | 'prompt': 'x', 'images': 'aGk='",
                "raw      | 'prompt': 'x', 'raw': 1",
                "format   | 'prompt': 'x', 'format': 'json'",
            })
    void namesTheFieldOfAPrompt(String field, String fields) {
        assertRefused(generate(fields), field);
    }

    @Test
    void asksForAModel() {
        assertRefused(server.post(CHAT, "{}"), "model");
    }

    private static void assertRefused(EntityExchangeResult<String> response, String field) {
        assertThat(response.getStatus().value()).as(response.getResponseBody()).isEqualTo(400);
        assertThat(response.getResponseBody()).startsWith("{\"error\":\"'" + field + "' ");
        assertThat(server.engine().requests()).isEmpty();
    }

    @Test
    void saysThatAPromptIsTooLongInWordsThatClientsKnow() {
        server.engine().play(Script.empty().fail(new EngineException.ContextLengthExceeded("messages", 9000, 8192)));

        EntityExchangeResult<String> response = chat("");

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody())
                .isEqualTo("{\"error\":\"prompt too long; exceeded max context length of 8192 tokens: it has 9000\"}");
    }

    @Test
    void endsAStreamThatFailsWithTheError() {
        server.engine().play(Script.empty().start().say("Hm").fail(new EngineException.Failed("it broke", null)));

        List<JsonNode> lines = lines(chat(""));

        assertThat(lines).hasSize(3);
        assertThat(lines.getLast().toString()).isEqualTo("{\"error\":\"it broke\"}");
        assertThat(chat("'stream': false").getStatus().value()).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {CHAT, GENERATE})
    void fillsSilencesWithLinesThatSayNothing(String path) {
        impatient
                .engine()
                .play(Script.empty()
                        .start()
                        .pause(Duration.ofMillis(200))
                        .say("a")
                        .pause(Duration.ofMillis(200))
                        .say("b")
                        .stop(2));

        List<JsonNode> lines = lines(post(impatient, path, HI + ", 'prompt': 'Hi'"));

        List<String> texts = lines.stream().map(AnswerTests::text).toList();
        assertThat(texts.indexOf("a")).isGreaterThan(1);
        assertThat(texts.indexOf("b") - texts.indexOf("a")).isGreaterThan(1);
        assertThat(String.join("", texts)).isEqualTo("ab");
        assertThat(lines.stream().filter(line -> line.path("done").booleanValue()))
                .hasSize(1);
    }

    private static String text(JsonNode line) {
        return line.path("response").asString(line.at("/message/content").asString(""));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancelsWhenTheClientGoes(boolean stream) throws IOException {
        server.engine().play(Script.empty().start().say("a").hang());
        String body = ("{'model': 'alias', " + HI + ", 'stream': " + stream + "}").replace('\'', '"');

        try (RawConnection client = RawConnection.to(server).post(CHAT, body)) {
            if (stream) {
                client.readUntil("\"a\"");
            }
            await().until(() -> server.engine().running() == 1);
        }

        await().atMost(Duration.ofSeconds(1)).until(() -> server.engine().running() == 0);
        assertThat(server.engine().isCancelled(server.engine().lastRequest())).isTrue();
    }

    /** Whatever the model says, both modes tell the same, whatever the interval. */
    @Test
    void streamsTheSame() {
        Random random = RandomNumbers.seeded();
        for (int i = 0; i < 100; i++) {
            List<GenerationEvent> events = new ArrayList<>();
            for (int n = random.nextInt(12); n > 0; n--) {
                events.add(
                        switch (random.nextInt(4)) {
                            case 0 -> new ReasoningDelta(0, "t" + n);
                            case 1 -> new GenerationEvent.ToolCall(0, "c" + n, "f", "{\"n\":" + n + "}");
                            case 2 -> new GenerationEvent.Delta(0, "", List.of());
                            default -> new GenerationEvent.Delta(0, "😀" + n, List.of());
                        });
            }
            TestServer to = random.nextBoolean() ? server : slow;
            to.engine().play(Script.each(request -> {
                Script script = Script.empty().start();
                events.forEach(script::emit);
                return script.stop(events.size());
            }));

            List<String> streamed = told(lines(post(to, CHAT, HI)));
            List<String> whole = told(List.of(JsonMapper.shared()
                    .readTree(post(to, CHAT, HI + ", 'stream': false").getResponseBody())));

            assertThat(streamed).isEqualTo(whole);
        }
    }

    /** Text, thoughts, calls and counts of lines added up. */
    private static List<String> told(List<JsonNode> lines) {
        StringBuilder text = new StringBuilder();
        StringBuilder thinking = new StringBuilder();
        StringBuilder calls = new StringBuilder();
        for (JsonNode line : lines) {
            assertThat(line.path("done").booleanValue()).isEqualTo(line == lines.getLast());
            text.append(line.at("/message/content").stringValue());
            thinking.append(line.at("/message/thinking").asString(""));
            line.at("/message/tool_calls").forEach(calls::append);
        }
        JsonNode last = lines.getLast();
        return List.of(
                text.toString(),
                thinking.toString(),
                calls.toString(),
                last.path("done_reason").stringValue(),
                last.path("eval_count").toString(),
                last.path("prompt_eval_count").toString());
    }
}
