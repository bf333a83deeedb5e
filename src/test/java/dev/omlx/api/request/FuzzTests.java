package dev.omlx.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever a client sends, it is an answer or the client's fault, and no error shows the server's insides. */
class FuzzTests {
    private static final int BODIES = 2000;

    private static final Pattern INSIDES =
            Pattern.compile("Exception|Error:|java\\.|jackson|spring|dev\\.omlx|\\bat [a-z]+\\.|Node\\b");

    private static final List<String> SEEDS = List.of("""
            {"model": "alias", "messages": [{"role": "user", "content": "Hi"}], "temperature": 0.7, "top_p": 0.9,
             "n": 2, "max_tokens": 5, "stop": ["a", "b"], "seed": 7, "logit_bias": {"5": 1.5}, "logprobs": true,
             "top_logprobs": 2, "presence_penalty": 0.5, "frequency_penalty": -0.5, "user": "u"}""", """
            {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": [
               {"type": "text", "text": "Hé 😀"}, {"type": "input_text", "text": "x"}]},
              {"role": "assistant", "content": null, "tool_calls": [
               {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\\"a\\": [1, null]}"}}]},
              {"role": "tool", "tool_call_id": "c", "content": "42"}],
             "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
             "tool_choice": "auto", "parallel_tool_calls": true, "chat_template_kwargs": {"enable_thinking": false},
             "response_format": {"type": "text"}, "reasoning_effort": "low"}""", """
            {"messages": [{"role": "user", "content": "Hi"}], "stream": true, "stream_options": {"include_usage": true},
             "top_k": 40, "min_p": 0.1, "repetition_penalty": 1.1, "ignore_eos": false, "stop_token_ids": [1, 2],
             "min_tokens": 1, "max_completion_tokens": 3, "stop": "x"}""");

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void survivesBrokenBodies() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BodyMutator mutator = new BodyMutator(random);
        Map<Integer, Integer> counts = new HashMap<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < BODIES; i++) {
                byte[] body = mutator.mutate(SEEDS.get(i % SEEDS.size()));
                HttpResponse<String> response = post(client, body);
                counts.merge(response.statusCode(), 1, Integer::sum);
                assertHarmless(
                        response,
                        "seed %d, body %d: %s".formatted(seed, i, new String(body, StandardCharsets.ISO_8859_1)));
            }
        }
        // the mutations are neither all harmless nor all fatal
        assertThat(counts).as("seed %d", seed).containsKeys(200, 400);
    }

    private static HttpResponse<String> post(HttpClient client, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/v1/chat/completions"))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static void assertHarmless(HttpResponse<String> response, String what) {
        assertThat(response.statusCode()).as(what).isIn(200, 400, 404);
        if (response.statusCode() == 200) {
            assertThat(response.body()).as(what).containsAnyOf("\"chat.completion\"", "data: [DONE]\n\n");
            return;
        }
        assertThat(INSIDES.matcher(response.body()).find())
                .as(what + " gave " + response.body())
                .isFalse();
        JsonNode error = JsonMapper.shared().readTree(response.body()).get("error");
        assertThat(error.propertyNames()).as(what).containsExactly("message", "type", "param", "code");
    }
}
