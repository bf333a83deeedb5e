package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Priority;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** What reaches the engine of a valid request. */
class ChatRequestTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void leavesWhatIsNotAskedForToTheEngine() {
        GenerationRequest request = accepted(ChatBody.with(""));

        assertThat(request.id()).startsWith("chatcmpl-");
        assertThat(request.model()).isEqualTo("test/model");
        assertThat(request.sampling()).isEqualTo(SamplingOptions.DEFAULT);
        assertThat(request.stop()).isEqualTo(StopConditions.NONE);
        assertThat(request.output()).isEqualTo(OutputOptions.DEFAULT);
        assertThat(request.prompt()).isEqualTo(Prompt.Chat.of(List.of(ChatMessage.user("Hi"))));
    }

    @Test
    void readsEverySamplingField() {
        GenerationRequest request = accepted(ChatBody.with("""
                "model": "other", "temperature": 0.5, "top_p": 1, "top_k": 40, "min_p": 0.1, "repetition_penalty": 1.1,
                "presence_penalty": -2, "frequency_penalty": 2.0, "seed": -9223372036854775808,
                "logit_bias": {"0": -100, "499": 1.5}, "n": 3, "logprobs": true, "top_logprobs": 20"""));

        assertThat(request.model()).isEqualTo("other");
        assertThat(request.sampling())
                .isEqualTo(new SamplingOptions(
                        0.5, 1.0, 40, 0.1, 1.1, -2.0, 2.0, Long.MIN_VALUE, Map.of(0, -100f, 499, 1.5f)));
        assertThat(request.output()).isEqualTo(new OutputOptions(3, true, 20));
    }

    @Test
    void readsEveryStopField() {
        assertThat(accepted(ChatBody.with("""
                        "max_tokens": 5, "stop": ["a", "\\n", "c", "d"], "stop_token_ids": [3, 3, 7],
                        "min_tokens": 5, "ignore_eos": true""")).stop())
                .isEqualTo(new StopConditions(5, 5, List.of("a", "\n", "c", "d"), Set.of(3, 7), true));
        assertThat(accepted(ChatBody.with("\"stop\": \"END\"")).stop().stops()).containsExactly("END");
        assertThat(accepted(ChatBody.with("\"max_tokens\": 5, \"max_completion_tokens\": 9"))
                        .stop()
                        .maxTokens())
                .isEqualTo(9);
        assertThat(accepted(ChatBody.with("\"max_tokens\": 16.0")).stop().maxTokens())
                .isEqualTo(16);
    }

    @ParameterizedTest
    @CsvSource({
        // field, header, priority
        ",        ,       NORMAL",
        "'\"high\"', ,    HIGH",
        "'\"Low\"',  high, LOW",
        "-5,      ,       HIGH",
        "0,       low,    NORMAL",
        "2,       ,       LOW",
        "null,    HIGH,   HIGH",
        ",        1,      LOW",
    })
    void readsThePriorityOfTheBodyOrElseOfTheHeader(
            @Nullable String field, @Nullable String header, Priority expected) {
        String body = ChatBody.with(field == null ? "" : "\"priority\": " + field);

        server.client()
                .post()
                .uri(ChatBody.PATH)
                .contentType(MediaType.APPLICATION_JSON)
                .headers(headers -> {
                    if (header != null) {
                        headers.set("X-Priority", header);
                    }
                })
                .bodyValue(body)
                .exchange()
                .expectStatus()
                .isOk();

        assertThat(server.engine().lastRequest().priority()).isEqualTo(expected);
    }

    @Test
    void takesAByteOrderMarkBeforeTheBodyAndNowhereElse() {
        assertThat(accepted("\uFEFF" + ChatBody.with("\"seed\": 3")).sampling().seed())
                .isEqualTo(3);

        for (String body : List.of("\uFEFF\uFEFF" + ChatBody.with(""), "\uFEFF", " \uFEFF{}")) {
            assertThat(server.post(ChatBody.PATH, body).getStatus().value()).isEqualTo(400);
        }
    }

    @Test
    void takesNullForAbsentAndIgnoresTheUnknown() {
        GenerationRequest request = accepted(ChatBody.with("""
                "model": null, "temperature": null, "stop": null, "n": null, "logit_bias": null, "tools": null,
                "tool_choice": null, "response_format": {"type": "text"}, "stream": null, "stream_options": null,
                "user": 3, "store": false, "metadata": {"a": 1}, "service_tier": "auto", "frobnicate": [[]],
                "modalities": ["text"], "top_k": -1, "prompt_cache_key": "x" """));

        assertThat(request.sampling().topK()).isZero();
        assertThat(request.stop()).isEqualTo(StopConditions.NONE);
        assertThat(request.output()).isEqualTo(OutputOptions.DEFAULT);
    }

    @Test
    void readsMessagesOfEveryForm() {
        assertThat(messages("""
                        [{"role": "system", "content": "a"},
                         {"role": "developer", "content": [{"type": "text", "text": "b"}]},
                         {"role": "user", "name": "Ann", "content": [
                            {"type": "text", "text": "c"}, {"type": "input_text", "text": "d"}]},
                         {"role": "user", "content": []},
                         {"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [
                            {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\\"x\\": 1}"}}]},
                         {"role": "tool", "tool_call_id": "c1", "content": "42"},
                         {"role": "function", "name": "f", "content": "43"},
                         {"role": "system", "content": "late"},
                         {"role": "assistant", "content": null, "refusal": "no"},
                         {"role": "assistant", "reasoning": "hm", "content": "yes"},
                         {"role": "user", "content": null}]"""))
                .containsExactly(
                        ChatMessage.of("system", "a"),
                        ChatMessage.of("system", "b"),
                        new ChatMessage("user", "c\nd", null, List.of(), null, "Ann"),
                        ChatMessage.user(""),
                        new ChatMessage(
                                "assistant", null, "hm", List.of(new ToolCall("c1", "f", "{\"x\": 1}")), null, null),
                        new ChatMessage("tool", "42", null, List.of(), "c1", null),
                        new ChatMessage("tool", "43", null, List.of(), null, "f"),
                        ChatMessage.of("system", "late"),
                        ChatMessage.assistant("no"),
                        new ChatMessage("assistant", "yes", "hm", List.of(), null, null),
                        ChatMessage.user(""));
    }

    @Test
    void makesAnObjectOfEveryCallsArguments() {
        assertThat(messages("""
                        [{"role": "assistant", "tool_calls": [
                            {"id": "a", "function": {"name": "f", "arguments": ""}},
                            {"id": "b", "function": {"name": "f", "arguments": "{"}},
                            {"id": "c", "function": {"name": "f", "arguments": "[1]"}},
                            {"id": "d", "function": {"name": "f", "arguments": {"x": [1, null]}}},
                            {"id": "e", "function": {"name": "f"}}]}]""").getFirst().toolCalls())
                .extracting(ToolCall::arguments)
                .containsExactly("{}", "{\"arguments\":\"{\"}", "{\"arguments\":\"[1]\"}", "{\"x\":[1,null]}", "{}");
    }

    @Test
    void passesToolsToTheTemplateUnlessTheModelMayNotCall() {
        String tools = """
                "tools": [{"type": "function", "function": {"name": "add", "description": "Adds.", "strict": true,
                    "parameters": {"type": "object", "properties": {"a": {"default": null}}}}},
                  {"type": "web_search"},
                  {"type": "function", "function": {"name": "now"}}]""";

        List<Map<String, Object>> shown = chat(ChatBody.with(tools)).tools();

        assertThat(shown).hasSize(2);
        assertThat(shown.getFirst().get("function"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("name", "add")
                .containsEntry("description", "Adds.")
                .extractingByKey("parameters")
                .hasToString("{type=object, properties={a={default=null}}}");
        assertThat(shown.getLast().get("function")).hasToString("{name=now, parameters={}}");
        assertThat(chat(ChatBody.with(tools + ", \"tool_choice\": \"auto\"")).tools())
                .isEqualTo(shown);
        assertThat(chat(ChatBody.with(tools + ", \"tool_choice\": \"none\"")).tools())
                .isEmpty();
    }

    @Test
    void passesArgumentsToTheTemplate() {
        assertThat(chat(ChatBody.with("""
                        "reasoning_effort": "low",
                        "chat_template_kwargs": {"enable_thinking": false, "depth": 3, "more": {"a": [1.5, "x"]}}""")).templateArguments())
                .hasToString("{enable_thinking=false, reasoning_effort=low, depth=3, more={a=[1.5, x]}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'thinking_budget': 5 | 5",
                "'thinking_token_budget': 6 | 6",
                "'thinking_token_budget': 6, 'thinking_budget': 5, 'chat_template_kwargs': {'thinking_budget': 7} | 5",
                "'chat_template_kwargs': {'thinking_budget': 7} | 7",
                "'thinking_budget': 0 | 0",
                "'thinking_budget': null |"
            })
    void limitsThoughts(String fields, @Nullable Integer budget) {
        GenerationRequest request = accepted(ChatBody.with(fields.replace('\'', '"')));
        assertThat(request.stop().thinkingBudget()).isEqualTo(budget);
        assertThat(((Prompt.Chat) request.prompt()).templateArguments().containsKey("thinking_budget"))
                .isEqualTo(budget != null);
    }

    /** There is never room for so many, whether or not a type of ours holds the number. */
    @ParameterizedTest
    @ValueSource(strings = {"2147483647", "2147483648", "1e12", "99999999999999999999999999999999999999"})
    void takesAnyNumberOfTokensForAllThatThereIsRoomFor(String number) {
        for (String field : List.of("max_tokens", "max_completion_tokens")) {
            assertThat(accepted(ChatBody.with("\"%s\": %s".formatted(field, number)))
                            .stop()
                            .maxTokens())
                    .isEqualTo(Integer.MAX_VALUE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'prefix': true | 'x': 1",
                "'x': 1 | 'continue_final_message': true",
                "'prefix': true | 'continue_final_message': true, 'add_generation_prompt': false"
            })
    void continuesTheLastMessageWhereThatIsAsked(String ofMessage, String ofBody) {
        String body = "{'messages': [{'role': 'user', 'content': 'Hi'}, {'role': 'assistant', 'content': 'Sure: ', "
                + ofMessage + "}], " + ofBody + "}";
        Prompt.Chat chat = chat(body.replace('\'', '"'));
        assertThat(chat.messages()).containsExactly(ChatMessage.user("Hi"));
        assertThat(chat.answerStart()).isEqualTo("Sure: ");
    }

    @Test
    void followsTheLastMessageOtherwise() {
        String body = "{'messages': [{'role': 'user', 'content': 'Hi'}, {'role': 'assistant', 'content': 'Sure: '}]}";
        Prompt.Chat chat = chat(body.replace('\'', '"'));
        assertThat(chat.messages()).hasSize(2);
        assertThat(chat.answerStart()).isNull();
    }

    @Test
    void keepsTextAsItIs() {
        assertThat(messages("[{\"role\": \"user\", \"content\": \"\\u0000 <|im_end|> \\ud83d\\ude00 \\t é\"}]"))
                .containsExactly(ChatMessage.user("\u0000 <|im_end|> 😀 \t é"));
    }

    private static Prompt.Chat chat(String body) {
        return (Prompt.Chat) accepted(body).prompt();
    }

    private static List<ChatMessage> messages(String messages) {
        return chat(ChatBody.ofMessages(messages)).messages();
    }

    private static GenerationRequest accepted(String body) {
        EntityExchangeResult<String> response = server.post(ChatBody.PATH, body);
        assertThat(response.getStatus().value()).as(response.getResponseBody()).isEqualTo(200);
        return server.engine().lastRequest();
    }
}
