package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request's items become in the prompt. */
class ResponseItemsTests {
    private static final String CALL =
            "{'type': 'function_call', 'call_id': '%s', 'name': '%s', 'arguments': '{\\'a\\':1}'}"
                    .replace("\\'", "\\\"");
    private static final String RESULT = "{'type': 'function_call_output', 'call_id': '%s', 'output': '%s'}";
    private static final String TOOLS = """
            'tools': [{'type': 'function', 'name': 'f', 'description': 'd', 'strict': false,
              'parameters': {'type': 'object', 'properties': {'a': {'type': 'integer'}}}},
             {'type': 'web_search', 'external_web_access': false},
             {'type': 'namespace', 'name': 'n', 'description': 'd', 'tools': [{'type': 'function', 'name': 'x'}]},
             {'type': 'custom', 'name': 'c', 'format': {'type': 'text'}}, {'type': 'local_shell'},
             {'type': 'function', 'name': 'g'}]""";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void takesAString() {
        assertThat(chat(ResponseTestBody.with("")).messages()).containsExactly(ChatMessage.user("Hi"));
    }

    @Test
    void takesMessagesOfAllRolesAndShapes() {
        Prompt.Chat chat = chat(ResponseTestBody.ofItems("""
                {'role': 'developer', 'content': 'd'}, {'type': 'message', 'role': 'system', 'content': [
                  {'type': 'input_text', 'text': 's1'}, {'type': 'input_text', 'text': 's2'}]},
                {'type': 'message', 'id': 'msg_1', 'role': 'user', 'content': [{'type': 'input_text', 'text': 'u'}]},
                {'type': 'message', 'id': 'msg_2', 'role': 'assistant', 'status': 'completed', 'phase': 'final',
                 'content': [{'type': 'output_text', 'text': 'a', 'annotations': [], 'logprobs': []}]},
                {'role': 'user', 'content': 'v'}, {'role': 'user', 'content': 'w'}""", "'instructions': 'i'"));

        assertThat(chat.messages())
                .containsExactly(
                        ChatMessage.of("system", "i"),
                        ChatMessage.of("system", "d"),
                        ChatMessage.of("system", "s1\ns2"),
                        ChatMessage.user("u"),
                        ChatMessage.assistant("a"),
                        ChatMessage.user("v"),
                        ChatMessage.user("w"));
    }

    @Test
    void makesOneTurnOfWhatAnAssistantThoughtSaidAndCalled() {
        Prompt.Chat chat = chat(ResponseTestBody.ofItems(
                """
                {'role': 'user', 'content': 'u'},
                {'type': 'reasoning', 'id': 'rs_1', 'summary': [], 'content': [{'type': 'reasoning_text', 'text': 't'}]},
                {'type': 'message', 'role': 'assistant', 'content': [{'type': 'output_text', 'text': 'a'}]},
                """
                        + CALL.formatted("1", "f") + "," + CALL.formatted("2", "g") + "," + RESULT.formatted("1", "r1")
                        + "," + RESULT.formatted("2", "r2") + ", {'type': 'reasoning', 'summary': ["
                        + "{'type': 'summary_text', 'text': 's1'}, {'type': 'summary_text', 'text': 's2'}]},"
                        + CALL.formatted("3", "f"),
                ""));

        assertThat(chat.messages())
                .containsExactly(
                        ChatMessage.user("u"),
                        assistant("a", "t", call("1", "f"), call("2", "g")),
                        result("1", "r1"),
                        result("2", "r2"),
                        assistant(null, "s1\ns2", call("3", "f")));
    }

    @Test
    void beginsAnotherTurnWhereAnAssistantSpeaksAgain() {
        Prompt.Chat chat = chat(ResponseTestBody.ofItems(
                "{'role': 'assistant', 'content': 'a'}, {'role': 'assistant', 'content': 'b'},"
                        + CALL.formatted("1", "f") + ", {'role': 'assistant', 'content': 'c'},"
                        + "{'type': 'reasoning', 'summary': [{'text': 't'}]}, {'role': 'user', 'content': 'u'}",
                ""));

        assertThat(chat.messages())
                .containsExactly(
                        ChatMessage.assistant("a"),
                        assistant("b", null, call("1", "f")),
                        ChatMessage.assistant("c"),
                        assistant("", "t"),
                        ChatMessage.user("u"));
    }

    @Test
    void joinsTheTextsOfAResult() {
        Prompt.Chat chat = chat(ResponseTestBody.ofItems(
                CALL.formatted("1", "f") + ", {'type': 'function_call_output', 'call_id': '1', 'output': ["
                        + "{'type': 'input_text', 'text': '4'}, {'type': 'input_text', 'text': '2'}]}",
                ""));

        assertThat(chat.messages().getLast()).isEqualTo(result("1", "4\n2"));
    }

    @Test
    void showsCallsOfFreeTextAsCallsOfAFunction() {
        Prompt.Chat chat = chat(ResponseTestBody.ofItems("""
                {'type': 'custom_tool_call', 'call_id': '1', 'name': 'apply_patch', 'input': 'a b'},
                {'type': 'custom_tool_call_output', 'call_id': '1', 'output': 'done'}""", ""));

        assertThat(chat.messages())
                .containsExactly(
                        assistant(null, null, new ToolCall("1", "apply_patch", "{\"input\":\"a b\"}")),
                        result("1", "done"));
    }

    @Test
    void leavesOutWhatOnlyAnotherServerUnderstands() {
        Prompt.Chat chat = chat(ResponseTestBody.ofItems("""
                {'role': 'user', 'content': 'u'}, {'type': 'web_search_call', 'id': 'ws_1', 'status': 'completed'},
                {'type': 'reasoning', 'id': 'rs_1', 'summary': [], 'encrypted_content': 'gAAA'},
                {'type': 'compaction', 'encrypted_content': 'x'}, {'type': 'invented'}""", ""));

        assertThat(chat.messages()).containsExactly(ChatMessage.user("u"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1]", "text", "\\\"x\\\"", ""})
    void keepsArgumentsThatAreNoObject(String arguments) {
        Prompt.Chat chat = chat(ResponseTestBody.ofItems(
                "{'type': 'function_call', 'call_id': '1', 'name': 'f', 'arguments': '" + arguments + "'}", ""));

        String shown = chat.messages().getFirst().toolCalls().getFirst().arguments();
        assertThat(ResponseTestBody.tree(shown).isObject()).isTrue();
    }

    @Test
    void showsFunctionsAndNoOtherTools() {
        Prompt.Chat chat = chat(ResponseTestBody.with(TOOLS));

        assertThat(chat.tools())
                .containsExactly(
                        Map.of(
                                "type",
                                "function",
                                "function",
                                Map.of(
                                        "name",
                                        "f",
                                        "description",
                                        "d",
                                        "strict",
                                        false,
                                        "parameters",
                                        Map.of(
                                                "type",
                                                "object",
                                                "properties",
                                                Map.of("a", Map.of("type", "integer"))))),
                        Map.of("type", "function", "function", Map.of("name", "g", "parameters", Map.of())));
    }

    @Test
    void leavesTheChoiceOfToolsToTheModelWhereItMay() {
        assertThat(chat(ResponseTestBody.with(TOOLS + ", 'tool_choice': 'none'"))
                        .tools())
                .isEmpty();
        assertThat(chat(ResponseTestBody.with(TOOLS + ", 'tool_choice': 'auto'"))
                        .tools())
                .hasSize(2);
        assertThat(chat(ResponseTestBody.with(TOOLS + ", 'tool_choice': {'type': 'allowed_tools', 'mode': 'auto',"
                                + " 'tools': [{'type': 'function', 'name': 'g'}]}"))
                        .tools())
                .singleElement()
                .extracting(tool -> tool.get("function"))
                .hasToString("{name=g, parameters={}}");
    }

    @Test
    void passesOnHowToGenerate() {
        GenerationRequest request = request(ResponseTestBody.with("""
                'temperature': 0.5, 'top_p': 0.25, 'max_output_tokens': 3, 'parallel_tool_calls': false, 'top_k': 4,
                'reasoning': {'effort': 'none'}, 'chat_template_kwargs': {'x': 1}, 'model': 'alias',
                'top_logprobs': 2, 'priority': 'low'"""));

        assertThat(request.model()).isEqualTo("test/model");
        assertThat(request.sampling().temperature()).isEqualTo(0.5);
        assertThat(request.sampling().topP()).isEqualTo(0.25);
        assertThat(request.sampling().topK()).isEqualTo(4);
        assertThat(request.stop().maxTokens()).isEqualTo(3);
        assertThat(request.stop().afterToolCall()).isTrue();
        assertThat(request.output().logprobs()).isTrue();
        assertThat(request.output().topLogprobs()).isEqualTo(2);
        assertThat(((Prompt.Chat) request.prompt()).templateArguments())
                .isEqualTo(Map.of("reasoning_effort", "none", "enable_thinking", false, "x", 1));
    }

    private static GenerationRequest request(String body) {
        ResponseTestBody.whole(server, body);
        return server.engine().lastRequest();
    }

    private static Prompt.Chat chat(String body) {
        return (Prompt.Chat) request(body).prompt();
    }

    private static ToolCall call(String id, String name) {
        return new ToolCall(id, name, "{\"a\":1}");
    }

    private static ChatMessage assistant(@Nullable String text, @Nullable String reasoning, ToolCall... calls) {
        return new ChatMessage("assistant", text, reasoning, List.of(calls), null, null);
    }

    private static ChatMessage result(String callId, String text) {
        return new ChatMessage("tool", text, null, List.of(), callId, null);
    }
}
