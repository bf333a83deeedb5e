package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** Every field that cannot be served is named. */
class ResponseValidationTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "background             | 'background': true",
                "background             | 'background': 'no'",
                "conversation           | 'conversation': 'conv_1'",
                "prompt                 | 'prompt': {'id': 'pmpt_1'}",
                "previous_response_id   | 'previous_response_id': 'resp_unknown'",
                "previous_response_id   | 'previous_response_id': 3",
                "instructions           | 'instructions': ['a']",
                "max_output_tokens      | 'max_output_tokens': 0",
                "max_output_tokens      | 'max_output_tokens': -1",
                "max_output_tokens      | 'max_output_tokens': 'many'",
                "max_tool_calls         | 'max_tool_calls': 0",
                "metadata               | 'metadata': 'a'",
                "metadata.a             | 'metadata': {'a': 1}",
                "parallel_tool_calls    | 'parallel_tool_calls': 'no'",
                "prompt_cache_key       | 'prompt_cache_key': 1",
                "safety_identifier      | 'safety_identifier': 1",
                "service_tier           | 'service_tier': 1",
                "user                   | 'user': 1",
                "reasoning              | 'reasoning': 'high'",
                "reasoning.effort       | 'reasoning': {'effort': 1}",
                "reasoning.effort       | 'reasoning': {'effort': 'banana'}",
                "grammar                | 'grammar': 'root ::= [0-9]'",
                "reasoning.summary      | 'reasoning': {'summary': 'long'}",
                "reasoning.generate_summary | 'reasoning': {'generate_summary': 'long'}",
                "store                  | 'store': 'no'",
                "stream                 | 'stream': 'no'",
                "stream_options         | 'stream_options': {'include_obfuscation': false}",
                "temperature            | 'temperature': 2.1",
                "top_p                  | 'top_p': 0",
                "top_logprobs           | 'top_logprobs': 21",
                "truncation             | 'truncation': 'always'",
                "include                | 'include': 'reasoning.encrypted_content'",
                "include[0]             | 'include': [1]",
                "text                   | 'text': 'plain'",
                "text.verbosity         | 'text': {'verbosity': 1}",
                "text.format            | 'text': {'format': {'type': 'json_object'}}",
                "text.format            | 'text': {'format': {'type': 'json_schema', 'name': 'n', 'schema': {}}}",
                "text.format.type       | 'text': {'format': {'type': 'xml'}}",
                "text.format.type       | 'text': {'format': {}}",
                "response_format        | 'response_format': {'type': 'json_object'}",
                "guided_json            | 'guided_json': {}",
                "bad_words              | 'bad_words': ['a']",
                "allowed_token_ids      | 'allowed_token_ids': [1]",
                "use_beam_search        | 'use_beam_search': true",
                "include_stop_str_in_output | 'include_stop_str_in_output': true",
                "truncate_prompt_tokens | 'truncate_prompt_tokens': 5",
                "tools                  | 'tools': {}",
                "tools[0].type          | 'tools': [{'name': 'f'}]",
                "tools[0].name          | 'tools': [{'type': 'function'}]",
                "tools[0].name          | 'tools': [{'type': 'function', 'name': 'a b'}]",
                "tools[0].parameters    | 'tools': [{'type': 'function', 'name': 'f', 'parameters': 'p'}]",
                "tools[0].strict        | 'tools': [{'type': 'function', 'name': 'f', 'strict': 'yes'}]",
                "tool_choice            | 'tool_choice': 'required', 'tools': [{'type': 'function', 'name': 'f'}]",
                "tool_choice            | 'tool_choice': 'maybe'",
                "tool_choice            | 'tool_choice': {'type': 'function', 'name': 'f'}",
                "tool_choice            | 'tool_choice': {'type': 'function', 'name': 'f'}, 'tools': [{'type': 'function', 'name': 'f'}]",
                "tool_choice.name       | 'tool_choice': {'type': 'function'}",
                "tool_choice            | 'tool_choice': {'type': 'web_search'}",
                "tool_choice.mode       | 'tool_choice': {'type': 'allowed_tools'}",
                "tool_choice            | 'tool_choice': {'type': 'allowed_tools', 'mode': 'required', 'tools': []}",
                "tool_choice            | 'tool_choice': {'type': 'allowed_tools', 'mode': 'auto', 'tools': [{'name': 'f'}]}"
            })
    void namesTheField(String field, String fields) {
        assertRefused(ResponseTestBody.with(fields), field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "input[0]               | 'a'",
                "input[0].role          | {}",
                "input[0].type          | {'type': 1}",
                "input[0].role          | {'role': 'tool', 'content': 'a'}",
                "input[0].content       | {'role': 'user'}",
                "input[0].content       | {'role': 'user', 'content': 1}",
                "input[0].content[0].type | {'role': 'user', 'content': [{'type': 'input_image', 'image_url': 'x'}]}",
                "input[0].content[0].type | {'role': 'user', 'content': [{'type': 'input_file', 'file_id': 'x'}]}",
                "input[0].content[0].text | {'role': 'user', 'content': [{'type': 'input_text'}]}",
                "input[0].call_id       | {'type': 'function_call', 'name': 'f', 'arguments': '{}'}",
                "input[0].name          | {'type': 'function_call', 'call_id': 'c', 'arguments': '{}'}",
                "input[0].arguments     | {'type': 'function_call', 'call_id': 'c', 'name': 'f', 'arguments': 1}",
                "input[0].call_id       | {'type': 'function_call_output', 'output': 'x'}",
                "input[0].output        | {'type': 'function_call_output', 'call_id': 'c'}",
                "input[0].output        | {'type': 'function_call_output', 'call_id': 'c', 'output': 1}",
                "input[0].output[0].type | {'type': 'function_call_output', 'call_id': 'c', 'output': [{'type': 'input_image'}]}",
                "input[0].input         | {'type': 'custom_tool_call', 'call_id': 'c', 'name': 'f'}",
                "input[0].summary       | {'type': 'reasoning', 'summary': 'x'}",
                "input[0].content[0].text | {'type': 'reasoning', 'summary': [], 'content': [{}]}",
                "input[0].id            | {'type': 'item_reference'}",
                "input[0].id            | {'type': 'item_reference', 'id': 'msg_unknown'}",
                "input[0].id            | {'id': 'msg_unknown'}"
            })
    void namesTheFieldOfAnItem(String field, String item) {
        assertRefused(ResponseTestBody.ofItems(item, ""), field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'input': null}",
                "{'input': 3}",
                "{'input': []}",
                "{'input': [], 'instructions': 'i'}",
                "{'input': [{'type': 'web_search_call', 'id': 'w'}]}"
            })
    void needsAnInput(String body) {
        assertRefused(ResponseTestBody.json(body), "input");
    }

    @Test
    void boundsMetadata() {
        StringBuilder pairs = new StringBuilder("'k0': 'v'");
        for (int i = 1; i <= 16; i++) {
            pairs.append(", 'k").append(i).append("': 'v'");
        }
        assertRefused(ResponseTestBody.with("'metadata': {" + pairs + "}"), "metadata");
        assertRefused(ResponseTestBody.with("'metadata': {'" + "k".repeat(65) + "': 'v'}"), "metadata");
        assertRefused(ResponseTestBody.with("'metadata': {'k': '" + "v".repeat(513) + "'}"), "metadata");
    }

    @Test
    void saysWhichModelThereIsNot() {
        EntityExchangeResult<String> refused =
                server.post(ResponseTestBody.PATH, ResponseTestBody.with("'model': 'gpt-5'"));

        assertThat(refused.getStatus().value()).isEqualTo(404);
        assertThat(refused.getResponseBody()).contains("\"code\":\"model_not_found\"");
    }

    @Test
    void checksWhatItOnlyCounts() {
        EntityExchangeResult<String> refused =
                server.post(ResponseTestBody.PATH + "/input_tokens", ResponseTestBody.with("'truncation': 'x'"));

        assertThat(refused.getStatus().value()).isEqualTo(400);
        assertThat(refused.getResponseBody()).contains("\"param\":\"truncation\"");
    }

    private static void assertRefused(String body, String field) {
        EntityExchangeResult<String> refused = server.post(ResponseTestBody.PATH, body);

        assertThat(refused.getStatus().value()).as(refused.getResponseBody()).isEqualTo(400);
        assertThat(refused.getResponseBody())
                .contains("\"type\":\"invalid_request_error\",\"param\":\"" + field + "\"", "'" + field + "' ");
        assertThat(server.engine().requests()).isEmpty();
    }
}
