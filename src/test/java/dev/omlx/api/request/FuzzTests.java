package dev.omlx.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever a client sends, it is an answer or the client's fault, no error shows the server's insides, and nothing of it
 * stays behind. The system property {@code omlx.fuzz.bodies} tells how many are tried.
 */
class FuzzTests {
    private static final int BODIES = Integer.getInteger("omlx.fuzz.bodies", 4_000);

    /** Bodies until everything is there that is there from then on. */
    private static final int WARM = 2_000;

    private static final int MORE_THREADS = 8;
    private static final long MORE_MEMORY = 64L << 20;

    private static final Pattern INSIDES =
            Pattern.compile("Exception|Error:|java\\.|jackson|spring|dev\\.omlx|\\bat [a-z]+\\.|Node\\b");

    private static final String CHAT = "/v1/chat/completions";
    private static final String MESSAGES = "/v1/messages";
    private static final String OLLAMA = "/api/";

    /** A valid body, and where it is valid. */
    private record Face(String path, String body) {}

    private static final List<Face> SEEDS = List.of(
            new Face(CHAT, """
            {"model": "alias", "messages": [{"role": "user", "content": "Hi"}], "temperature": 0.7, "top_p": 0.9,
             "n": 2, "max_tokens": 5, "stop": ["a", "b"], "seed": 7, "logit_bias": {"5": 1.5}, "logprobs": true,
             "top_logprobs": 2, "presence_penalty": 0.5, "frequency_penalty": -0.5, "user": "u"}"""),
            new Face(CHAT, """
            {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": [
               {"type": "text", "text": "Hé 😀"}, {"type": "input_text", "text": "x"}]},
              {"role": "assistant", "content": null, "tool_calls": [
               {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\\"a\\": [1, null]}"}}]},
              {"role": "tool", "tool_call_id": "c", "content": "42"}],
             "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
             "tool_choice": "auto", "parallel_tool_calls": true, "chat_template_kwargs": {"enable_thinking": false},
             "response_format": {"type": "text"}, "reasoning_effort": "low"}"""),
            new Face(CHAT, """
            {"messages": [{"role": "user", "content": "Hi"}], "stream": true, "stream_options": {"include_usage": true},
             "top_k": 40, "min_p": 0.1, "repetition_penalty": 1.1, "ignore_eos": false, "stop_token_ids": [1, 2],
             "min_tokens": 1, "max_completion_tokens": 3, "stop": "x"}"""),
            new Face("/v1/completions", """
            {"model": "alias", "prompt": ["Hi", "Hé 😀"], "n": 2, "best_of": 3, "max_tokens": 4, "echo": true,
             "logprobs": 2, "stop": ["a"], "seed": 1, "suffix": "", "logit_bias": {"5": -1}}"""),
            new Face("/v1/completions", """
            {"prompt": [[1, 2, 3], [4]], "stream": true, "stream_options": {"include_usage": true}, "logprobs": 0}"""),
            new Face("/v1/responses", """
            {"model": "alias", "instructions": "s", "input": [{"role": "developer", "content": "d"},
              {"type": "message", "id": "m", "role": "user", "content": [{"type": "input_text", "text": "Hé 😀"}]},
              {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "t"}], "content": []},
              {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{\\"a\\": [1, null]}"},
              {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "42"}]}],
             "tools": [{"type": "function", "name": "f", "parameters": {"type": "object"}}, {"type": "web_search"}],
             "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
             "reasoning": {"effort": "low", "summary": "auto"}, "text": {"format": {"type": "text"}}, "top_logprobs": 2,
             "max_output_tokens": 5, "metadata": {"k": "v"}, "include": ["message.output_text.logprobs"]}"""),
            new Face("/v1/responses", """
            {"input": "Hi", "stream": true, "store": false, "temperature": 0.5, "top_p": 0.5, "truncation": "auto",
             "parallel_tool_calls": false, "stream_options": {"include_obfuscation": false}, "user": "u"}"""),
            new Face("/v1/responses/input_tokens", """
            {"model": "alias", "input": [{"role": "user", "content": "Hi"}], "instructions": "s"}"""),
            new Face(MESSAGES, """
            {"model": "alias", "max_tokens": 5, "stream": true, "system": [{"type": "text", "text": "s"}],
             "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [
               {"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "text", "text": "Hé 😀"},
               {"type": "tool_use", "id": "t", "name": "f", "input": {"a": [1, null]}}]},
              {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [
               {"type": "text", "text": "42"}]}]}, {"role": "system", "content": "x"}],
             "tools": [{"name": "f", "input_schema": {"type": "object"}}, {"type": "web_search_1", "name": "w"}],
             "tool_choice": {"type": "auto"}, "thinking": {"type": "enabled", "budget_tokens": 9},
             "stop_sequences": ["a"], "output_config": {"effort": "low"}, "top_k": 4, "metadata": {"user_id": "u"}}"""),
            new Face(MESSAGES + "/count_tokens", """
            {"model": "alias", "system": "s", "messages": [{"role": "user", "content": "Hi"}]}"""),
            new Face(OLLAMA + "chat", """
            {"model": "alias:latest", "messages": [{"role": "user", "content": "Hé 😀", "images": []},
              {"role": "assistant", "content": "", "thinking": "t", "tool_calls": [
               {"function": {"name": "f", "arguments": {"a": [1, null]}}}]},
              {"role": "tool", "content": "42", "tool_name": "f"}],
             "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
             "options": {"num_predict": 5, "temperature": 0.7, "seed": -1, "stop": ["a"], "num_ctx": 4096},
             "think": "low", "keep_alive": "5m", "format": ""}"""),
            new Face(OLLAMA + "generate", """
            {"model": "alias", "prompt": "Hi", "system": "s", "raw": false, "stream": false, "context": []}"""),
            new Face(OLLAMA + "embed", """
            {"model": "m", "input": ["a", "b"], "truncate": true, "dimensions": 3}"""),
            new Face(OLLAMA + "show", """
            {"model": "alias", "verbose": true}"""),
            new Face("/v1/embeddings", """
            {"model": "m", "input": ["a", "b"], "encoding_format": "base64", "dimensions": 3}"""),
            new Face("/v1/rerank", """
            {"model": "m", "query": "q", "documents": ["a", {"text": "b"}], "top_n": 1, "return_documents": true}"""));

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @ParameterizedTest
    @ValueSource(strings = {"1.0E308", "1e999", "-1.0E308", "1e12", "2147483648", "99999999999999999999999999"})
    void numbersBeyondAllBoundsAreNoFault(String number) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            String body =
                    "{\"model\":\"alias\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"max_tokens\":%s}";
            HttpResponse<String> response =
                    post(client, "/v1/chat/completions", body.formatted(number).getBytes(StandardCharsets.UTF_8));
            assertHarmless(response, "/v1/chat/completions", number);
        }
    }

    @Test
    void survivesBrokenBodies() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BodyMutator mutator = new BodyMutator(random);
        Map<Integer, Integer> counts = new HashMap<>();
        int threads = 0;
        long memory = 0;
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < BODIES; i++) {
                if (i == WARM) {
                    threads = threads();
                    memory = memory();
                }
                Face face = SEEDS.get(i % SEEDS.size());
                byte[] body = mutator.mutate(face.body);
                HttpResponse<String> response = post(client, face.path, body);
                counts.merge(response.statusCode(), 1, Integer::sum);
                assertHarmless(
                        response,
                        face.path,
                        "seed %d, body %d: %s".formatted(seed, i, new String(body, StandardCharsets.ISO_8859_1)));
            }
            assertThat(threads()).as("seed %d", seed).isLessThanOrEqualTo(threads + MORE_THREADS);
            assertThat(memory()).as("seed %d", seed).isLessThanOrEqualTo(memory + MORE_MEMORY);
        }
        // the mutations are neither all harmless nor all fatal
        assertThat(counts).as("seed %d", seed).containsKeys(200, 400);
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** Bytes in use once what nobody holds is gone. */
    private static long memory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static HttpResponse<String> post(HttpClient client, String path, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static void assertHarmless(HttpResponse<String> response, String path, String what) {
        assertThat(response.statusCode()).as(what).isIn(200, 400, 404);
        if (response.statusCode() == 200) {
            assertThat(response.body())
                    .as(what)
                    .containsAnyOf(
                            "\"chat.completion\"",
                            "\"text_completion\"",
                            "data: [DONE]\n\n",
                            "\"type\":\"message\"",
                            "\"object\":\"response\"",
                            "{\"object\":\"response.input_tokens\"",
                            "{\"input_tokens\":",
                            "\"done\":true",
                            "\"capabilities\":");
            return;
        }
        assertThat(INSIDES.matcher(response.body()).find())
                .as(what + " gave " + response.body())
                .isFalse();
        JsonNode body = JsonMapper.shared().readTree(response.body());
        if (path.startsWith(MESSAGES)) {
            assertThat(body.propertyNames()).as(what).containsExactly("type", "error", "request_id");
            assertThat(body.get("error").propertyNames()).as(what).containsExactly("type", "message");
        } else if (path.startsWith(OLLAMA)) {
            assertThat(body.propertyNames()).as(what).containsExactly("error");
            assertThat(body.get("error").stringValue()).as(what).isNotBlank();
        } else {
            assertThat(body.get("error").propertyNames()).as(what).containsExactly("message", "type", "param", "code");
        }
    }
}
