package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests that are refused, and by the name of which field. */
class ChatValidationTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "model                 | 'model': 3",
                "temperature           | 'temperature': -0.1",
                "temperature           | 'temperature': 2.1",
                "temperature           | 'temperature': '1'",
                "temperature           | 'temperature': true",
                "temperature           | 'temperature': 1e400",
                "top_p                 | 'top_p': 0",
                "top_p                 | 'top_p': 1.01",
                "top_k                 | 'top_k': -2",
                "top_k                 | 'top_k': 1.5",
                "min_p                 | 'min_p': -0.1",
                "min_p                 | 'min_p': 1.1",
                "repetition_penalty    | 'repetition_penalty': 0",
                "repetition_penalty    | 'repetition_penalty': 1e-38",
                "presence_penalty      | 'presence_penalty': 2.01",
                "frequency_penalty     | 'frequency_penalty': -2.01",
                "frequency_penalty     | 'frequency_penalty': []",
                "seed                  | 'seed': 9223372036854775808",
                "seed                  | 'seed': 'x'",
                "seed                  | 'seed': 0.5",
                "n                     | 'n': 0",
                "n                     | 'n': 129",
                "n                     | 'n': -1",
                "n                     | 'n': 1e30",
                "n                     | 'n': 0, 'stream': true",
                "max_tokens            | 'max_tokens': 0",
                "max_tokens            | 'max_tokens': -1",
                "max_tokens            | 'max_tokens': 1.5",
                "max_tokens            | 'max_tokens': '5'",
                "max_tokens            | 'max_tokens': 0, 'max_completion_tokens': 5",
                "max_completion_tokens | 'max_completion_tokens': 0",
                "min_tokens            | 'min_tokens': -1",
                "min_tokens            | 'min_tokens': 6, 'max_tokens': 5",
                "stop                  | 'stop': ''",
                "stop[1]               | 'stop': ['a', '']",
                "stop                  | 'stop': ['a', 'b', 'c', 'd', 'e']",
                "stop                  | 'stop': 3",
                "stop[1]               | 'stop': ['a', 3]",
                "stop_token_ids        | 'stop_token_ids': 3",
                "stop_token_ids[0]     | 'stop_token_ids': [1000]",
                "stop_token_ids[0]     | 'stop_token_ids': [-1]",
                "thinking_budget       | 'thinking_budget': -1",
                "thinking_budget       | 'thinking_budget': '5'",
                "thinking_token_budget | 'thinking_token_budget': 0.5",
                "chat_template_kwargs.thinking_budget | 'chat_template_kwargs': {'thinking_budget': 'few'}",
                "ignore_eos            | 'ignore_eos': 'yes'",
                "logit_bias            | 'logit_bias': {'1000': 1}",
                "logit_bias            | 'logit_bias': {'191222': 1}",
                "logit_bias            | 'logit_bias': {'99999999999': 1}",
                "logit_bias            | 'logit_bias': {'AI': 1}",
                "logit_bias            | 'logit_bias': {'-1': 1}",
                "logit_bias            | 'logit_bias': [1]",
                "logit_bias.5          | 'logit_bias': {'5': 101}",
                "logit_bias.5          | 'logit_bias': {'5': 'x'}",
                "logit_bias.5          | 'logit_bias': {'5': null}",
                "logprobs              | 'logprobs': 5",
                "priority              | 'priority': 'urgent'",
                "priority              | 'priority': [1]",
                "priority              | 'priority': 1.5",
                "top_logprobs          | 'top_logprobs': 2",
                "top_logprobs          | 'top_logprobs': 0, 'logprobs': false",
                "top_logprobs          | 'top_logprobs': 21, 'logprobs': true",
                "top_logprobs          | 'top_logprobs': -1, 'logprobs': true",
                "stream                | 'stream': 'true'",
                "stream                | 'stream': 1",
                "stream_options        | 'stream_options': {'include_usage': true}",
                "stream_options        | 'stream': false, 'stream_options': {}",
                "stream_options        | 'stream': true, 'stream_options': true",
                "stream_options.include_usage | 'stream': true, 'stream_options': {'include_usage': 'yes'}",
                "response_format       | 'response_format': {'type': 'json_object'}",
                "response_format       | 'response_format': {'type': 'json_schema', 'json_schema': {'name': 'x', 'schema': {}}}",
                "response_format       | 'response_format': 'json'",
                "response_format.type  | 'response_format': {}",
                "response_format.type  | 'response_format': {'type': 'xml'}",
                "guided_json           | 'guided_json': {}",
                "guided_regex          | 'guided_regex': 'a+'",
                "structured_outputs    | 'structured_outputs': {'json': {}}",
                "grammar               | 'grammar': 'root ::= [0-9]'",
                "json_schema           | 'json_schema': {}",
                "regex                 | 'regex': 'a+'",
                "ebnf                  | 'ebnf': 'root ::= [0-9]'",
                "format                | 'format': 'json'",
                "format                | 'format': {'type': 'object'}",
                "bad_words             | 'bad_words': ['a']",
                "bad_words             | 'bad_words': 'a'",
                "allowed_token_ids     | 'allowed_token_ids': [1]",
                "use_beam_search       | 'use_beam_search': true",
                "use_beam_search       | 'use_beam_search': 'no'",
                "include_stop_str_in_output | 'include_stop_str_in_output': true",
                "truncate_prompt_tokens | 'truncate_prompt_tokens': 5",
                "truncate_prompt_tokens | 'truncate_prompt_tokens': -1",
                "add_generation_prompt | 'add_generation_prompt': false",
                "add_generation_prompt | 'continue_final_message': true, 'add_generation_prompt': true",
                "continue_final_message | 'continue_final_message': 'yes'",
                "continue_final_message | 'continue_final_message': true",
                "continue_final_message | 'continue_final_message': true, 'messages': [{'role': 'assistant', 'content': 'a'}]",
                "messages[1].prefix    | 'messages': [{'role': 'user', 'content': 'a'}, {'role': 'user', 'content': 'a', 'prefix': true}]",
                "messages[1].prefix    | 'messages': [{'role': 'assistant', 'content': 'a', 'prefix': true}, {'role': 'user', 'content': 'a'}]",
                "messages[0].prefix    | 'messages': [{'role': 'user', 'content': 'a', 'prefix': 1}]",
                "modalities            | 'modalities': ['text', 'audio']",
                "functions             | 'functions': []",
                "tools                 | 'tools': {}",
                "tools[0]              | 'tools': ['f']",
                "tools[0].type         | 'tools': [{'function': {'name': 'f'}}]",
                "tools[0].function     | 'tools': [{'type': 'function'}]",
                "tools[0].function.name | 'tools': [{'type': 'function', 'function': {}}]",
                "tools[0].function.name | 'tools': [{'type': 'function', 'function': {'name': 'a b'}}]",
                "tools[0].function.name | 'tools': [{'type': 'function', 'function': {'name': ''}}]",
                "tools[1].function.name | 'tools': [{'type': 'function', 'function': {'name': 'f'}}, "
                        + "{'type': 'function', 'function': {'name': 'f'}}]",
                "tools[0].function.parameters | 'tools': [{'type': 'function', 'function': {'name': 'f', 'parameters': []}}]",
                "tool_choice           | 'tool_choice': 'required', 'tools': [{'type': 'function', 'function': {'name': 'f'}}]",
                "tool_choice           | 'tool_choice': 'maybe'",
                "tool_choice           | 'tool_choice': 3",
                "tool_choice.type      | 'tool_choice': {}",
                "tool_choice           | 'tool_choice': {'type': 'function', 'function': {'name': 'f'}}",
                "tool_choice.allowed_tools | 'tool_choice': {'type': 'allowed_tools'}",
                "tool_choice.allowed_tools.mode | 'tool_choice': {'type': 'allowed_tools', 'allowed_tools': {}}",
                "tool_choice.allowed_tools.mode | 'tool_choice': {'type': 'allowed_tools', 'allowed_tools': {'mode': 'all'}}",
                "tool_choice           | 'tool_choice': {'type': 'allowed_tools', 'allowed_tools': {'mode': 'required'}}",
                "tool_choice           | 'tool_choice': {'type': 'allowed_tools', 'allowed_tools': {'mode': 'auto', "
                        + "'tools': [{'type': 'function', 'function': {'name': 'f'}}]}}",
                "tool_choice           | 'tool_choice': {'type': 'web_search'}",
                "parallel_tool_calls   | 'parallel_tool_calls': 'no'",
                "chat_template_kwargs  | 'chat_template_kwargs': 'x'",
                "reasoning_effort      | 'reasoning_effort': 5",
                "reasoning_effort      | 'reasoning_effort': 'banana'",
                "reasoning_effort      | 'reasoning_effort': ''",
                "messages              | 'messages': null",
                "messages              | 'messages': []",
                "messages              | 'messages': 'hi'",
                "messages              | 'messages': {'role': 'user', 'content': 'hi'}",
                "messages[0]           | 'messages': ['hi']",
                "messages[0]           | 'messages': [null]",
                "messages[0].role      | 'messages': [{'content': 'hi'}]",
                "messages[0].role      | 'messages': [{'role': 'robot', 'content': 'hi'}]",
                "messages[0].role      | 'messages': [{'role': 1, 'content': 'hi'}]",
                "messages[0].content   | 'messages': [{'role': 'user', 'content': 5}]",
                "messages[0].refusal   | 'messages': [{'role': 'assistant', 'content': 'a', 'refusal': 5}]",
                "messages[0].reasoning | 'messages': [{'role': 'assistant', 'content': 'a', 'reasoning_content': 'b', 'reasoning': 0}]",
                "messages[0].content   | 'messages': [{'role': 'user', 'content': {'type': 'text'}}]",
                "messages[0].content[0] | 'messages': [{'role': 'user', 'content': ['hi']}]",
                "messages[0].content[0].text | 'messages': [{'role': 'user', 'content': [{'type': 'text'}]}]",
                "messages[0].content[0].text | 'messages': [{'role': 'user', 'content': [{'type': 'text', 'text': 1}]}]",
                "messages[0].content[0].type | 'messages': [{'role': 'user', 'content': [{'text': 'x'}]}]",
                "messages[0].content[0].type | 'messages': [{'role': 'user', 'content': [{'type': 'hologram'}]}]",
                "messages[0].content[1].type | 'messages': [{'role': 'user', 'content': [{'type': 'text', 'text': 'x'}, "
                        + "{'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,AAAA'}}]}]",
                "messages[0].content[0].type | 'messages': [{'role': 'user', 'content': [{'type': 'image_url', "
                        + "'image_url': 'data:image/png;base64,AAAA'}]}]",
                "messages[0].content[0].type | 'messages': [{'role': 'user', 'content': [{'type': 'input_audio'}]}]",
                "messages[0].content[0].type | 'messages': [{'role': 'user', 'content': [{'type': 'file'}]}]",
                "messages[0].name      | 'messages': [{'role': 'user', 'content': 'x', 'name': []}]",
                "messages[0].tool_calls | 'messages': [{'role': 'assistant', 'tool_calls': 'f'}]",
                "messages[0].tool_calls[0].function | 'messages': [{'role': 'assistant', 'tool_calls': [{}]}]",
                "messages[0].tool_calls[0].function.arguments | 'messages': [{'role': 'assistant', 'tool_calls': "
                        + "[{'function': {'name': 'f', 'arguments': 5}}]}]",
                "messages[0].tool_calls[0].function.arguments | 'messages': [{'role': 'assistant', 'tool_calls': "
                        + "[{'function': {'name': 'f', 'arguments': '{\\\"a\\\": \\\"\\\\ud800\\\"}'}}]}]",
                "messages[0].tool_call_id | 'messages': [{'role': 'tool', 'tool_call_id': 1, 'content': 'x'}]",
                "messages[0].content   | 'messages': [{'role': 'user', 'content': '\\ud800'}]",
                "messages[0].content   | 'messages': [{'role': 'user', 'content': '\\ude00\\ud83d'}]",
                "unknown.a[1].b        | 'unknown': {'a': [1, {'b': '\\udfff'}]}",
            })
    void namesTheFieldThatIsWrong(String parameter, String fields) {
        EntityExchangeResult<String> response = server.post(ChatBody.PATH, ChatBody.with(fields.replace('\'', '"')));

        assertThat(response.getStatus().value()).as(response.getResponseBody()).isEqualTo(400);
        JsonNode error =
                JsonMapper.shared().readTree(response.getResponseBody()).get("error");
        assertThat(error.get("type").stringValue()).isEqualTo("invalid_request_error");
        assertThat(error.get("param").stringValue()).isEqualTo(parameter);
        assertThat(error.get("message").stringValue()).startsWith("'" + parameter + "' ");
        assertThat(error.has("code")).isTrue();
        assertThat(server.engine().requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"temperature", "n", "seed", "top_k", "stop_token_ids"})
    void refusesNumbersThatNoTypeHolds(String field) {
        for (String number :
                List.of("9".repeat(400), "-" + "9".repeat(400), "1e999", "-1e999", "1e999999999", "0.5e-9")) {
            String value = field.equals("stop_token_ids") ? "[" + number + "]" : number;
            if (field.equals("temperature") && number.equals("0.5e-9")) {
                continue;
            }

            EntityExchangeResult<String> response =
                    server.post(ChatBody.PATH, ChatBody.with("\"%s\": %s".formatted(field, value)));

            assertThat(response.getStatus().value()).as(number).isEqualTo(400);
            assertThat(response.getResponseBody()).contains("\"param\":\"" + field);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'grammar': '', 'guided_json': null, 'format': ''",
                "'bad_words': [], 'allowed_token_ids': null, 'use_beam_search': false",
                "'include_stop_str_in_output': false, 'truncate_prompt_tokens': null",
                "'add_generation_prompt': true, 'continue_final_message': false",
                "'messages': [{'role': 'user', 'content': 'a', 'prefix': false}]",
                "'reasoning_effort': 'xhigh'",
                "'reasoning_effort': 'max'",
                "'reasoning_effort': null"
            })
    void takesFieldsThatAskForNothingElse(String fields) {
        EntityExchangeResult<String> response = server.post(ChatBody.PATH, ChatBody.with(fields.replace('\'', '"')));

        assertThat(response.getStatus().value()).as(response.getResponseBody()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "'stop': 3                        | must be a string or an array of strings",
                "'tool_choice': 5                 | must be none, auto, required or an object",
                "'tool_choice': ['auto']          | must be none, auto, required or an object",
                "'priority': [1]                  | must be high, normal or low, or an integer",
                "'messages': [{'role': 'user', 'content': 5}] | must be a string, an array of parts, or null",
                "'messages': [{'role': 'assistant', 'tool_calls': [{'function': {'name': 'f', 'arguments': 5}}]}] | "
                        + "must be an object, or a string that holds one"
            })
    void namesEveryShapeThatAFieldMayHave(String fields, String shapes) {
        EntityExchangeResult<String> response = server.post(ChatBody.PATH, ChatBody.with(fields.replace('\'', '"')));

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody()).contains(shapes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"priority\": \"low\""})
    void refusesAPriorityInTheHeaderThatIsNoneWhateverTheBodySays(String field) {
        server.client()
                .post()
                .uri(ChatBody.PATH)
                .contentType(MediaType.APPLICATION_JSON)
                .header("X-Priority", "urgent")
                .bodyValue(ChatBody.with(field))
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody(String.class)
                .value(body -> assertThat(body).contains("X-Priority", "below 0 is high"));
    }

    @Test
    void namesTheLimitThatABodyGoesBeyond() {
        assertThat(refusal("{\"a\": " + "[".repeat(201))).contains("nested deeper than 200 levels");
        assertThat(refusal("{\"" + "k".repeat(200_000) + "\": 1}"))
                .contains("a name of more than 50000 characters")
                .doesNotContain("nested");
        for (String number : List.of("1".repeat(1001), "0." + "1".repeat(2000), "-" + "1".repeat(2000))) {
            assertThat(refusal("{\"seed\": " + number + "}"))
                    .contains("a number of more than 1000 characters")
                    .doesNotContain("nested");
        }
    }

    private static String refusal(String body) {
        EntityExchangeResult<String> refused = server.post(ChatBody.PATH, body);
        assertThat(refused.getStatus().value()).isEqualTo(400);
        return String.valueOf(refused.getResponseBody());
    }

    @Test
    void refusesMoreToolsThanItTakes() {
        String tool = "{\"type\": \"function\", \"function\": {\"name\": \"f\"}}";

        EntityExchangeResult<String> response =
                server.post(ChatBody.PATH, ChatBody.with("\"tools\": [" + (tool + ",").repeat(128) + tool + "]"));

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody()).contains("\"param\":\"tools\"");
    }

    @Test
    void refusesAModelThatIsNotThere() {
        EntityExchangeResult<String> response = server.post(ChatBody.PATH, ChatBody.with("\"model\": \"gpt-9\""));

        assertThat(response.getStatus().value()).isEqualTo(404);
        assertThat(response.getResponseBody()).contains("gpt-9", "\"param\":\"model\"", "\"code\":\"model_not_found\"");
    }
}
