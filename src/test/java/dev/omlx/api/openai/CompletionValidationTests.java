package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Completion requests that are refused, and by the name of which field. */
class CompletionValidationTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "prompt        | 'max_tokens': 1",
                "prompt        | 'prompt': null",
                "prompt        | 'prompt': 3",
                "prompt        | 'prompt': {}",
                "prompt        | 'prompt': []",
                "prompt[1]     | 'prompt': ['a', 3]",
                "prompt[1]     | 'prompt': ['a', [1]]",
                "prompt[1]     | 'prompt': [[1], 'a']",
                "prompt[0]     | 'prompt': [true]",
                "prompt[0]     | 'prompt': [null]",
                "prompt[1]     | 'prompt': [[1], []]",
                "prompt[1]     | 'prompt': [1, 1000]",
                "prompt[0]     | 'prompt': [-1]",
                "prompt[1]     | 'prompt': [1, 'a']",
                "prompt[0]     | 'prompt': [1.5]",
                "prompt[0][1]  | 'prompt': [[1, 99999999999999999999]]",
                "suffix        | 'prompt': 'a', 'suffix': 'b'",
                "grammar       | 'prompt': 'a', 'grammar': 'root ::= [0-9]'",
                "bad_words     | 'prompt': 'a', 'bad_words': ['b']",
                "use_beam_search | 'prompt': 'a', 'use_beam_search': true",
                "truncate_prompt_tokens | 'prompt': 'a', 'truncate_prompt_tokens': 5",
                "thinking_budget | 'prompt': 'a', 'thinking_budget': -1",
                "thinking_token_budget | 'prompt': 'a', 'thinking_token_budget': 'few'",
                "best_of       | 'prompt': 'a', 'n': 3, 'best_of': 2",
                "best_of       | 'prompt': 'a', 'best_of': 0",
                "best_of       | 'prompt': 'a', 'best_of': 2, 'stream': true",
                "n             | 'prompt': 'a', 'n': 0",
                "n             | 'prompt': 'a', 'n': 0, 'stream': true",
                "max_tokens    | 'prompt': 'a', 'max_tokens': 0",
                "max_tokens    | 'prompt': 'a', 'max_tokens': -1, 'echo': true",
                "logprobs      | 'prompt': 'a', 'logprobs': 6",
                "logprobs      | 'prompt': 'a', 'logprobs': -1",
                "logprobs      | 'prompt': 'a', 'logprobs': true",
                "echo          | 'prompt': 'a', 'echo': 1",
                "stop          | 'prompt': 'a', 'stop': ''",
                "logit_bias    | 'prompt': 'a', 'logit_bias': {'1000': 1}",
                "temperature   | 'prompt': 'a', 'temperature': 3",
                "stream_options | 'prompt': 'a', 'stream_options': {}",
                "guided_json   | 'prompt': 'a', 'guided_json': {}",
                "response_format | 'prompt': 'a', 'response_format': {'type': 'json_object'}",
                "priority      | 'prompt': 'a', 'priority': 'x'"
            })
    void namesTheField(String field, String fields) {
        EntityExchangeResult<String> response =
                server.post(CompletionBody.PATH, ("{" + fields + "}").replace('\'', '"'));

        assertThat(response.getStatus().value()).isEqualTo(400);
        JsonNode error =
                JsonMapper.shared().readTree(response.getResponseBody()).path("error");
        assertThat(error.path("type").stringValue()).isEqualTo("invalid_request_error");
        assertThat(error.path("param").stringValue()).isEqualTo(field);
        assertThat(error.path("message").stringValue()).startsWith("'" + field + "' ");
        assertThat(server.engine().requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"suffix\": null",
                "\"suffix\": \"\"",
                "\"best_of\": null, \"logprobs\": null, \"n\": null, \"max_tokens\": null",
                "\"user\": \"u\", \"unknown\": {\"a\": [1]}",
                "\"best_of\": 2, \"n\": 2, \"stream\": true",
                "\"echo\": true, \"max_tokens\": 0"
            })
    void takesTheRest(String fields) {
        assertThat(server.post(CompletionBody.PATH, CompletionBody.with(fields))
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void namesThePromptThatIsEmpty() {
        EntityExchangeResult<String> response = server.post(CompletionBody.PATH, "{\"prompt\": [\"a\", \"\"]}");

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody()).contains("\"param\":\"prompt[1]\"");
        assertThat(server.engine().requests()).isEmpty();
    }

    @Test
    void refusesUnknownModels() {
        assertThat(server.post(CompletionBody.PATH, CompletionBody.with("\"model\": \"none\""))
                        .getStatus()
                        .value())
                .isEqualTo(404);
    }

    @Test
    void refusesAllPromptsForOneThatIsTooLong() {
        String longPrompt = "[" + "1,".repeat(8191) + "1]";

        EntityExchangeResult<String> response =
                server.post(CompletionBody.PATH, "{\"prompt\": [[1], " + longPrompt + "], \"stream\": true}");

        assertThat(response.getStatus().value()).isEqualTo(400);
        assertThat(response.getResponseBody())
                .contains("maximum context length is 8192 tokens", "\"code\":\"context_length_exceeded\"")
                .contains("resulted in 8192 tokens, which leaves none for the answer")
                .contains("\"param\":\"prompt\"");
        assertThat(server.engine().requests()).isEmpty();
    }
}
