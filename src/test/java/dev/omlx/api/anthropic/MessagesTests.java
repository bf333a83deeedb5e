package dev.omlx.api.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

class MessagesTests {
    private static final String PATH = "/v1/messages";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @RegisterExtension
    static final TestServer impatient = TestServer.with("omlx.server.sse-keepalive=40ms");

    private static EntityExchangeResult<String> post(String fields) {
        return post(server, fields);
    }

    private static EntityExchangeResult<String> post(TestServer to, String fields) {
        return to.post(PATH, ("{'model': 'test/model', 'max_tokens': 9, " + fields + "}").replace('\'', '"'));
    }

    private static EntityExchangeResult<String> ask(String fields) {
        return post("'messages': [{'role': 'user', 'content': 'Hi'}]" + (fields.isEmpty() ? "" : ", " + fields));
    }

    private static Prompt.Chat prompt(String fields) {
        EntityExchangeResult<String> response = post(fields);
        assertThat(response.getStatus().value()).as(response.getResponseBody()).isEqualTo(200);
        return (Prompt.Chat) server.engine().lastRequest().prompt();
    }

    @Test
    void answersInOnePiece() {
        EntityExchangeResult<String> response = ask("");

        assertThat(response.getStatus().value()).isEqualTo(200);
        assertThat(response.getResponseHeaders().getFirst("request-id"))
                .isEqualTo(response.getResponseHeaders().getFirst("x-request-id"));
        assertThat(response.getResponseBody()).matches("""
                \\{"id":"msg_[0-9a-f]{32}","type":"message","role":"assistant","model":"test/model",\
                "content":\\[\\{"type":"text","text":"Hello world"}],"stop_reason":"end_turn","stop_sequence":null,\
                "usage":\\{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":4,"output_tokens":2}}""");
    }

    /** Bug cases 37 and 38: each event in its place, under its name. */
    @Test
    void streamsEventsInTheirOrder() {
        EntityExchangeResult<String> response = ask("'stream': true");

        assertThat(response.getResponseHeaders().getFirst(HttpHeaders.CONTENT_TYPE))
                .startsWith("text/event-stream");
        assertThat(response.getResponseBody()).matches("""
                event: message_start
                data: \\{"type":"message_start","message":\\{"id":"msg_[0-9a-f]{32}","type":"message",\
                "role":"assistant","model":"test/model","content":\\[],"stop_reason":null,"stop_sequence":null,\
                "usage":\\{"input_tokens":7,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}}

                event: content_block_start
                data: \\{"type":"content_block_start","index":0,"content_block":\\{"type":"text","text":""}}

                event: content_block_delta
                data: \\{"type":"content_block_delta","index":0,"delta":\\{"type":"text_delta","text":"Hello"}}

                event: content_block_delta
                data: \\{"type":"content_block_delta","index":0,"delta":\\{"type":"text_delta","text":" world"}}

                event: content_block_stop
                data: \\{"type":"content_block_stop","index":0}

                event: message_delta
                data: \\{"type":"message_delta","delta":\\{"stop_reason":"end_turn","stop_sequence":null},\
                "usage":\\{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":4,"output_tokens":2}}

                event: message_stop
                data: \\{"type":"message_stop"}

                """);
    }

    @Test
    void anAnswerWithoutTextHasNoBlock() {
        server.engine().play(Script.answer());

        assertThat(ask("").getResponseBody()).contains("\"content\":[],");
        assertThat(ask("'stream': true").getResponseBody())
                .doesNotContain("content_block")
                .contains("event: message_stop");
    }

    @Test
    void saysWhyItEnded() {
        assertThat(ask("").getResponseBody()).contains("\"stop_reason\":\"end_turn\"");
        server.engine().play(Script.answer("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
        assertThat(ask("").getResponseBody()).contains("\"stop_reason\":\"max_tokens\"");
        server.engine().play(stopped(new ChoiceFinished(0, FinishReason.STOP, "END")));
        assertThat(ask("'stop_sequences': ['END']").getResponseBody())
                .contains("\"stop_reason\":\"stop_sequence\",\"stop_sequence\":\"END\"");
        assertThat(server.engine().lastRequest().stop().stops()).containsExactly("END");
        server.engine().play(stopped(new ChoiceFinished(0, FinishReason.LENGTH, null)));
        assertThat(ask("").getResponseBody()).contains("\"stop_reason\":\"model_context_window_exceeded\"");
    }

    @Test
    void tellsThoughtsTextAndCallsInBlocks() {
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new ReasoningDelta(0, "Hm."))
                        .say("Look:")
                        .emit(new GenerationEvent.ToolCall(0, "call_1", "get_weather", "{\"city\":\"Oslo\"}"))
                        .emit(new ChoiceFinished(0, FinishReason.TOOL_CALLS, null))
                        .complete(9));

        assertThat(ask("").getResponseBody())
                .contains("\"content\":[{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":\"unsigned\"},"
                        + "{\"type\":\"text\",\"text\":\"Look:\"},{\"type\":\"tool_use\",\"id\":\"call_1\","
                        + "\"name\":\"get_weather\",\"input\":{\"city\":\"Oslo\"}}]")
                .contains("\"stop_reason\":\"tool_use\"");
        assertThat(String.valueOf(ask("'stream': true").getResponseBody())
                        .lines()
                        .filter(line -> line.contains("content_block_")))
                .filteredOn(line -> line.startsWith("data: "))
                .containsExactly(
                        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                                + "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}",
                        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                                + "{\"type\":\"thinking_delta\",\"thinking\":\"Hm.\"}}",
                        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                                + "{\"type\":\"signature_delta\",\"signature\":\"unsigned\"}}",
                        "data: {\"type\":\"content_block_stop\",\"index\":0}",
                        "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":"
                                + "{\"type\":\"text\",\"text\":\"\"}}",
                        "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":"
                                + "{\"type\":\"text_delta\",\"text\":\"Look:\"}}",
                        "data: {\"type\":\"content_block_stop\",\"index\":1}",
                        "data: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\","
                                + "\"id\":\"call_1\",\"name\":\"get_weather\",\"input\":{}}}",
                        "data: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\","
                                + "\"partial_json\":\"{\\\"city\\\":\\\"Oslo\\\"}\"}}",
                        "data: {\"type\":\"content_block_stop\",\"index\":2}");
    }

    private static Script stopped(ChoiceFinished ending) {
        return Script.empty().start().say("a").emit(ending).complete(1);
    }

    /** Bug case 59: system as a plain string is used; blocks are joined. */
    @Test
    void takesSystemAsTextOrBlocks() {
        String user = "'messages': [{'role': 'user', 'content': 'Hi'}]";
        assertThat(prompt("'system': 'Be terse.', " + user).messages())
                .containsExactly(ChatMessage.of("system", "Be terse."), ChatMessage.user("Hi"));
        assertThat(prompt("'system': [{'type': 'text', 'text': 'A', 'cache_control': {'type': 'ephemeral'}},"
                                + "{'type': 'text', 'text': 'B'}], " + user)
                        .messages())
                .containsExactly(ChatMessage.of("system", "A\nB"), ChatMessage.user("Hi"));
        assertThat(prompt("'system': [], " + user).messages()).containsExactly(ChatMessage.user("Hi"));
    }

    /** Bug cases 40 and 44, and the original's 16. */
    @Test
    void takesLateSystemTurnsAndFieldsItDoesNotKnow() {
        assertThat(prompt("'messages': [{'role': 'user', 'content': 'Hi'}, {'role': 'system', 'content': []},"
                                + "{'role': 'system', 'content': 'Note.'}],"
                                + "'metadata': {'user_id': 'u'}, 'context_management': {'edits': []},"
                                + "'output_config': {'effort': 'high'}, 'thinking': {'type': 'adaptive'},"
                                + "'service_tier': 'auto', 'mcp_servers': []")
                        .messages())
                .containsExactly(ChatMessage.user("Hi"), ChatMessage.of("system", "Note."));
        assertThat(((Prompt.Chat) server.engine().lastRequest().prompt()).templateArguments())
                .isEqualTo(Map.of("enable_thinking", true, "reasoning_effort", "high"));
    }

    @Test
    void aTrailingAssistantTurnBeginsTheAnswer() {
        Prompt.Chat prompt = prompt("'messages': [{'role': 'user', 'content': 'Hi'},"
                + "{'role': 'assistant', 'content': [{'type': 'text', 'text': 'The answer is ('}]}]");

        assertThat(prompt.messages()).containsExactly(ChatMessage.user("Hi"));
        assertThat(prompt.answerStart()).isEqualTo("The answer is (");
    }

    @Test
    void historyOfToolsAndThoughtsBecomesTurns() {
        Prompt.Chat prompt = prompt("""
                'messages': [
                 {'role': 'user', 'content': 'Weather?'},
                 {'role': 'assistant', 'content': [
                  {'type': 'thinking', 'thinking': 'Hm.', 'signature': 's'},
                  {'type': 'redacted_thinking', 'data': 'x'},
                  {'type': 'text', 'text': 'Let me see.'},
                  {'type': 'tool_use', 'id': 't1', 'name': 'weather', 'input': {'city': 'Rome'}},
                  {'type': 'tool_use', 'id': 't2', 'name': 'time'}]},
                 {'role': 'user', 'content': [
                  {'type': 'tool_result', 'tool_use_id': 't1', 'content': [{'type': 'text', 'text': 'sunny'}]},
                  {'type': 'tool_result', 'tool_use_id': 't2', 'is_error': true},
                  {'type': 'text', 'text': 'And?'},
                  {'type': 'unknown_block', 'x': 1}]},
                 {'role': 'user', 'content': [
                  {'type': 'document', 'title': 'T', 'source': {'type': 'text', 'media_type': 'text/plain', 'data': 'D'}}]}]""");

        assertThat(prompt.messages())
                .containsExactly(
                        ChatMessage.user("Weather?"),
                        new ChatMessage(
                                "assistant",
                                "Let me see.",
                                "Hm.",
                                List.of(
                                        new ToolCall("t1", "weather", "{\"city\":\"Rome\"}"),
                                        new ToolCall("t2", "time", "{}")),
                                null,
                                null),
                        new ChatMessage("tool", "sunny", null, List.of(), "t1", null),
                        new ChatMessage("tool", "", null, List.of(), "t2", null),
                        ChatMessage.user("And?"),
                        ChatMessage.user("T\nD"));
    }

    /** Bug case 21: tools that run on other servers are dropped, and nothing else with them. */
    @Test
    void showsToolsAndDropsThoseOfOtherServers() {
        String tools = "'tools': [{'type': 'web_search_20250305', 'name': 'web_search', 'max_uses': 5},"
                + "{'name': 'f', 'description': 'd', 'input_schema': {'type': 'object'}, 'input_examples': [{}]},"
                + "{'type': 'custom', 'name': 'g', 'input_schema': {}}]";
        String user = "'messages': [{'role': 'user', 'content': 'Hi'}], ";

        assertThat(prompt(user + tools).tools())
                .containsExactly(
                        Map.of(
                                "type",
                                "function",
                                "function",
                                Map.of("name", "f", "description", "d", "parameters", Map.of("type", "object"))),
                        Map.of(
                                "type",
                                "function",
                                "function",
                                Map.of("name", "g", "description", "", "parameters", Map.of())));
        assertThat(prompt(user + tools).tools())
                .as("in the order in which templates show it")
                .allSatisfy(tool -> assertThat(tool.keySet()).containsExactly("type", "function"));
        assertThat(prompt(user + tools + ", 'tool_choice': {'type': 'none'}").tools())
                .isEmpty();
        assertThat(prompt(user + tools + ", 'tool_choice': {'type': 'auto', 'disable_parallel_tool_use': true}")
                        .tools())
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "messages            | 'messages': []",
                "messages            | 'messages': [{'role': 'system', 'content': 'a'}]",
                "messages[0]         | 'messages': ['a']",
                "messages[0].role    | 'messages': [{'content': 'a'}]",
                "messages[0].role    | 'messages': [{'role': 'tool', 'content': 'a'}]",
                "messages[0].content | 'messages': [{'role': 'user'}]",
                "messages[0].content | 'messages': [{'role': 'user', 'content': 3}]",
                "messages[0].content[0].type | 'messages': [{'role': 'user', 'content': [{'text': 'a'}]}]",
                "messages[0].content[0].text | 'messages': [{'role': 'user', 'content': [{'type': 'text'}]}]",
                "messages[0].content[0].type | 'messages': [{'role': 'user', 'content': [{'type': 'image', 'source': {}}]}]",
                "messages[0].content[0].content[1].type | 'messages': [{'role': 'user', 'content': [{'type': 'tool_result', "
                        + "'tool_use_id': 't', 'content': [{'type': 'text', 'text': 'a'}, {'type': 'image', 'source': {}}]}]}]",
                "messages[0].content[0].tool_use_id | 'messages': [{'role': 'user', 'content': [{'type': 'tool_result'}]}]",
                "system              | 'system': 3, 'messages': [{'role': 'user', 'content': 'a'}]",
                "max_tokens          | 'max_tokens': 0, 'messages': [{'role': 'user', 'content': 'a'}]",
                "max_tokens          | 'max_tokens': null, 'messages': [{'role': 'user', 'content': 'a'}]",
                "model               | 'model': null, 'messages': [{'role': 'user', 'content': 'a'}]",
                "stream              | 'stream': 'yes', 'messages': [{'role': 'user', 'content': 'a'}]",
                "stop_sequences[0]   | 'stop_sequences': [''], 'messages': [{'role': 'user', 'content': 'a'}]",
                "temperature         | 'temperature': 3, 'messages': [{'role': 'user', 'content': 'a'}]",
                "tools[0].input_schema | 'tools': [{'name': 'f'}], 'messages': [{'role': 'user', 'content': 'a'}]",
                "tools[0].name       | 'tools': [{'name': 'a b', 'input_schema': {}}], 'messages': [{'role': 'user', 'content': 'a'}]",
                "tool_choice         | 'tool_choice': {'type': 'any'}, 'messages': [{'role': 'user', 'content': 'a'}]",
                "tool_choice.name    | 'tool_choice': {'type': 'tool'}, 'messages': [{'role': 'user', 'content': 'a'}]",
                "tool_choice         | 'tool_choice': {'type': 'tool', 'name': 'f'}, 'messages': [{'role': 'user', 'content': 'a'}]",
                "tools[1].name       | 'tools': [{'name': 'f', 'input_schema': {}}, {'name': 'f', 'input_schema': {}}], "
                        + "'messages': [{'role': 'user', 'content': 'a'}]",
                "output_config.effort | 'output_config': {'effort': 'banana'}, 'messages': [{'role': 'user', 'content': 'a'}]",
                "tool_choice.type    | 'tool_choice': {'type': 'x'}, 'messages': [{'role': 'user', 'content': 'a'}]",
                "thinking.type       | 'thinking': {}, 'messages': [{'role': 'user', 'content': 'a'}]",
                "thinking.budget_tokens | 'thinking': {'type': 'enabled', 'budget_tokens': 1023}, 'max_tokens': 5000, "
                        + "'messages': [{'role': 'user', 'content': 'a'}]",
                "thinking.budget_tokens | 'thinking': {'type': 'enabled', 'budget_tokens': 1024}, 'max_tokens': 1024, "
                        + "'messages': [{'role': 'user', 'content': 'a'}]",
                "thinking.budget_tokens | 'thinking': {'type': 'enabled', 'budget_tokens': 'many'}, "
                        + "'messages': [{'role': 'user', 'content': 'a'}]",
                "output_config.format | 'output_config': {'format': {}}, 'messages': [{'role': 'user', 'content': 'a'}]"
            })
    void namesTheField(String field, String fields) {
        // a later field of the same name wins
        EntityExchangeResult<String> response = post(fields);

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody())
                .startsWith("{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"'" + field
                        + "' ");
        assertThat(server.engine().requests()).isEmpty();
    }

    @Test
    void saysWhyNoCallCanBeForced() {
        assertThat(post("'tool_choice': {'type': 'any'}, 'messages': [{'role': 'user', 'content': 'a'}]")
                        .getResponseBody())
                .contains("constrained decoding", "'auto'");
    }

    @Test
    void wordsErrorsAsItsClientsExpect() {
        server.engine().play(Script.empty().fail(new EngineException.ContextLengthExceeded("messages", 9000, 8192)));
        EntityExchangeResult<String> tooLong = ask("'stream': true");
        assertThat(tooLong.getStatus().value()).isEqualTo(400);
        assertThat(tooLong.getResponseBody()).contains("prompt is too long: 9000 tokens > 8192 maximum");
        assertThat(tooLong.getResponseBody())
                .endsWith("\"request_id\":\"" + tooLong.getResponseHeaders().getFirst("request-id") + "\"}");

        server.engine().play(Script.empty().fail(EngineException.ContextLengthExceeded.byFar("messages", 9000, 8192)));
        assertThat(ask("").getResponseBody()).contains("prompt is too long: 9000 tokens > 8192 maximum");

        server.engine().play(Script.empty().fail(new EngineException.Overloaded("full", Duration.ofSeconds(3))));
        EntityExchangeResult<String> full = ask("");
        assertThat(full.getStatus().value()).isEqualTo(429);
        assertThat(full.getResponseHeaders().getFirst("Retry-After")).isEqualTo("3");
        assertThat(full.getResponseBody()).contains("\"type\":\"rate_limit_error\"");

        server.engine().play(Script.empty().fail(new EngineException.Unavailable("starting")));
        assertThat(ask("").getResponseBody()).contains("\"type\":\"overloaded_error\"");
        server.engine().play(Script.empty().fail(new EngineException.Failed("broken", null)));
        assertThat(ask("").getResponseBody()).contains("\"type\":\"api_error\"");
        assertThat(post("'model': 'none', 'messages': [{'role': 'user', 'content': 'a'}]")
                        .getResponseBody())
                .contains("\"type\":\"not_found_error\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/messages", "/v1//messages", "/v1/messages/nothing"})
    void speaksItsDialectOnAllItsPaths(String path) {
        assertThat(server.client()
                        .get()
                        .uri(URI.create(server.url() + path))
                        .exchange()
                        .expectBody(String.class)
                        .returnResult()
                        .getResponseBody())
                .startsWith("{\"type\":\"error\"");
    }

    @Test
    void aFaultLaterIsAnEventOfItsOwn() {
        server.engine().play(Script.empty().start().say("a").fail(new EngineException.Failed("broken", null)));

        assertThat(ask("'stream': true").getResponseBody())
                .containsPattern("event: error\ndata: \\{\"type\":\"error\",\"error\":\\{\"type\":\"api_error\","
                        + "\"message\":\"broken\"},\"request_id\":\"req_[0-9a-f]+\"}\n\n$")
                .doesNotContain("message_stop");
    }

    /** Bug case 42: silence is filled with pings, once the message has begun. */
    @Test
    void pingsInSilence() {
        impatient
                .engine()
                .play(Script.empty()
                        .start()
                        .pause(Duration.ofMillis(300))
                        .say("a")
                        .stop(1));

        String body = String.valueOf(post(impatient, "'stream': true, 'messages': [{'role': 'user', 'content': 'Hi'}]")
                .getResponseBody());

        assertThat(body).startsWith("event: message_start\n");
        assertThat(body).contains("event: ping\ndata: {\"type\":\"ping\"}\n\n");
        assertThat(body.indexOf("event: ping")).isLessThan(body.indexOf("event: content_block_start"));
    }

    /** Bug case 43. */
    @Test
    void countsTokensOfTheSameBody() {
        EntityExchangeResult<String> response = server.post(
                "/v1/messages/count_tokens",
                "{\"model\": \"test/model\", \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}");

        assertThat(response.getStatus().value()).isEqualTo(200);
        assertThat(response.getResponseBody()).isEqualTo("{\"input_tokens\":7}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "thinking.budget_tokens | 'thinking': {'type': 'enabled', 'budget_tokens': 'many'}",
                "tool_choice.disable_parallel_tool_use | 'tool_choice': {'type': 'auto', 'disable_parallel_tool_use': 1}"
            })
    void countsNothingOfWhatItWouldRefuse(String field, String fields) {
        EntityExchangeResult<String> response = server.post(
                "/v1/messages/count_tokens",
                ("{'model': 'test/model', 'messages': [{'role': 'user', 'content': 'Hi'}], " + fields + "}")
                        .replace('\'', '"'));

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody()).contains("\"'" + field + "' ");
    }

    @Test
    void samplesAsAsked() {
        ask("'temperature': 0.5, 'top_p': 0.9, 'top_k': 7");
        GenerationRequest request = server.engine().lastRequest();

        assertThat(request.sampling().temperature()).isEqualTo(0.5);
        assertThat(request.sampling().topP()).isEqualTo(0.9);
        assertThat(request.sampling().topK()).isEqualTo(7);
        assertThat(request.stop().maxTokens()).isEqualTo(9);
    }
}
