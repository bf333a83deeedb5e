package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.ScriptedModel;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reasoning and tool calls from the model's tokens to the wire. */
class ChatToolsTests {
    private static final String TOOLS = """
            "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object",
              "required": ["city"], "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}},
             {"type": "function", "function": {"name": "get_time"}}]""";
    private static final String OSLO =
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 2}}\n</tool_call>";
    private static final String TIME = "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>";
    private static final OutputFormat QWEN = new OutputFormat(ReasoningFormat.THINK, ToolFormat.HERMES);
    private static final Set<String> SPECIALS =
            Set.of("<|im_start|>", "<|channel|>", "<|message|>", "<|end|>", "<|start|>");

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void sendsACallWhole() {
        says(QWEN, "", split("<think>\nHm.\n</think>\n\nLet me look.\n" + OSLO + "\n" + TIME));

        JsonNode body = whole(TOOLS);

        JsonNode choice = body.path("choices").path(0);
        assertThat(choice.path("finish_reason").stringValue()).isEqualTo("tool_calls");
        JsonNode message = choice.path("message");
        assertThat(message.path("content").stringValue()).isEqualTo("Let me look.");
        assertThat(message.path("reasoning_content").stringValue()).isEqualTo("Hm.");
        assertThat(message.path("reasoning").stringValue()).isEqualTo("Hm.");
        assertThat(message.path("tool_calls")).hasSize(2);
        JsonNode call = message.path("tool_calls").path(0);
        assertThat(call.path("id").stringValue()).startsWith("call_");
        assertThat(call.path("type").stringValue()).isEqualTo("function");
        assertThat(call.path("function").toString())
                .isEqualTo("{\"name\":\"get_weather\",\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\",\\\"days\\\":2}\"}");
        assertThat(body.at("/usage/completion_tokens_details/reasoning_tokens").intValue())
                .isPositive()
                .isLessThan(body.at("/usage/completion_tokens").intValue());
    }

    @Test
    void leavesOutWhatThereIsNot() {
        says(QWEN, "", List.of("Hi", " there"));
        assertThat(whole(TOOLS).at("/choices/0/message").toString())
                .isEqualTo("{\"role\":\"assistant\",\"content\":\"Hi there\",\"refusal\":null}");

        says(QWEN, "", split(TIME));
        JsonNode message = whole(TOOLS).at("/choices/0/message");
        assertThat(message.path("content").isNull()).isTrue();
        assertThat(message.has("reasoning")).isFalse();
    }

    @Test
    void streamsEachCallInTwoParts() {
        says(QWEN, "<think>\n", List.of("Hm", ".", "\n</think>\n\n", "Look:", "\n", OSLO, TIME));

        List<String> deltas = deltas(TOOLS).stream()
                .map(delta -> delta.toString().replaceAll("call_\\w+", "ID"))
                .toList();

        assertThat(deltas)
                .containsExactly(
                        "{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}",
                        "{\"reasoning_content\":\"Hm.\",\"reasoning\":\"Hm.\"}",
                        "{\"content\":\"Look:\"}",
                        "{\"tool_calls\":[{\"index\":0,\"id\":\"ID\",\"type\":\"function\","
                                + "\"function\":{\"name\":\"get_weather\",\"arguments\":\"\"}}]}",
                        "{\"tool_calls\":[{\"index\":0,"
                                + "\"function\":{\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\",\\\"days\\\":2}\"}}]}",
                        "{\"tool_calls\":[{\"index\":1,\"id\":\"ID\",\"type\":\"function\","
                                + "\"function\":{\"name\":\"get_time\",\"arguments\":\"\"}}]}",
                        "{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"{}\"}}]}",
                        "{}");
    }

    @Test
    void endsAfterOneCallWhereCallsMayNotBeParallel() {
        says(QWEN, "", split("Look: " + OSLO + TIME + " and more"));

        JsonNode body = whole(TOOLS + ", \"parallel_tool_calls\": false");

        assertThat(body.at("/choices/0/message/tool_calls")).hasSize(1);
        assertThat(body.at("/choices/0/message/content").stringValue()).isEqualTo("Look:");
        assertThat(body.at("/choices/0/finish_reason").stringValue()).isEqualTo("tool_calls");
    }

    @Test
    void saysLengthOfACutCall() {
        List<String> tokens = split(OSLO);
        for (int most = 1; most < tokens.size(); most++) {
            says(QWEN, "", tokens);
            JsonNode choice = whole(TOOLS + ", \"max_tokens\": " + most).at("/choices/0");
            assertThat(choice.path("finish_reason").stringValue()).isEqualTo("length");
            assertThat(choice.path("message").path("content").asString(""))
                    .doesNotContain("<tool_call>", "</tool_call>");
        }
    }

    /** The original's case 7. */
    @Test
    void aBrokenCallIsTextAndEndsNoStreamInAnotherWay() {
        says(
                QWEN,
                "",
                split(
                        "Look: <tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\" Oslo}}\n</tool_call> So."));

        List<JsonNode> chunks = chunks(TOOLS);

        String text = chunks.stream()
                .map(chunk -> chunk.at("/choices/0/delta/content").asString(""))
                .collect(Collectors.joining());
        assertThat(text).isEqualTo("Look: \n{\"name\": \"get_weather\", \"arguments\": {\"city\" Oslo}}\n So.");
        assertThat(chunks)
                .noneMatch(chunk -> chunk.has("error") || chunk.toString().contains("tool_calls"));
        assertThat(chunks.get(chunks.size() - 2).at("/choices/0/finish_reason").stringValue())
                .isEqualTo("stop");
        assertThat(chunks.getLast().path("usage").path("total_tokens").intValue())
                .isPositive();
    }

    @Test
    void keepsCutThoughtsOutOfTheText() {
        says(QWEN, "<think>\n", split("I wonder whether it is the way that I think it is."));

        JsonNode message = whole(TOOLS + ", \"max_tokens\": 3").at("/choices/0/message");

        assertThat(message.path("content").stringValue()).isEmpty();
        assertThat(message.path("reasoning_content").stringValue()).startsWith("I");
    }

    @Test
    void offersNoCallsWhereTheChoiceIsNone() {
        says(QWEN, "", split("a " + OSLO));

        JsonNode body = whole(TOOLS + ", \"tool_choice\": \"none\"");

        assertThat(body.at("/choices/0/message").has("tool_calls")).isFalse();
        assertThat(body.at("/choices/0/finish_reason").stringValue()).isEqualTo("stop");
    }

    @Test
    void takesCallsOfAllowedToolsAlone() {
        says(QWEN, "", split(OSLO + TIME));

        JsonNode calls = whole(TOOLS + """
                , "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto",
                  "tools": [{"type": "function", "function": {"name": "get_time"}}]}}""").at("/choices/0/message/tool_calls");

        assertThat(calls).hasSize(1);
        assertThat(calls.at("/0/function/name").stringValue()).isEqualTo("get_time");
    }

    @Test
    void looksForStopTextsInTheTextAlone() {
        says(QWEN, "<think>", split("END of thoughts</think>Text END more"));

        JsonNode choice = whole(TOOLS + ", \"stop\": [\"END\"]").at("/choices/0");

        assertThat(choice.path("message").path("reasoning").stringValue()).isEqualTo("END of thoughts");
        assertThat(choice.path("message").path("content").stringValue()).isEqualTo("Text ");
        assertThat(choice.path("finish_reason").stringValue()).isEqualTo("stop");
    }

    @Test
    void reportsLogprobsOfTheTextAlone() {
        says(QWEN, "<think>", List.of("Hm", "</think>", "Let", " me", " see", "\n", OSLO));

        JsonNode logprobs = whole(TOOLS + ", \"logprobs\": true").at("/choices/0/logprobs/content");

        assertThat(logprobs.valueStream().map(token -> token.path("token").stringValue()))
                .containsExactly("Let", " me", " see");
    }

    @Test
    void hidesSpecialTokensFromUsersAndShowsThemToParsers() {
        OutputFormat harmony = new OutputFormat(ReasoningFormat.NONE, ToolFormat.HARMONY);
        List<String> tokens = List.of(
                "<|channel|>",
                "analysis",
                "<|message|>",
                "Think",
                ".",
                "<|end|>",
                "<|start|>",
                "assistant",
                "<|channel|>",
                "final",
                "<|message|>",
                "Hi",
                "<|im_start|>",
                " there");
        says(harmony, "", tokens);
        JsonNode message = whole(TOOLS).at("/choices/0/message");
        assertThat(message.path("content").stringValue()).isEqualTo("Hi there");
        assertThat(message.path("reasoning").stringValue()).isEqualTo("Think.");

        says(OutputFormat.PLAIN, "", tokens);
        assertThat(whole("").at("/choices/0/message/content").stringValue())
                .isEqualTo("analysisThink.assistantfinalHi there");
    }

    /** Whatever the model says and however it is cut into tokens, both modes tell the same. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void streamsTheSame(int choices) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> parts = List.of(
                "<think>",
                "</think>",
                "Hm. ",
                "\n\n",
                OSLO,
                TIME,
                "<tool_call>",
                "</tool_call>",
                "text ",
                "`<tool_call>` ",
                "{\"name\": \"get_time\"}",
                "😀",
                "END",
                "<tool_call>{\"name\": \"x\"}</tool_call>");
        for (int i = 0; i < 60; i++) {
            StringBuilder answer = new StringBuilder();
            for (int n = 1 + random.nextInt(8); n > 0; n--) {
                answer.append(parts.get(random.nextInt(parts.size())));
            }
            says(QWEN, random.nextBoolean() ? "<think>" : "", split(answer.toString(), random));
            String fields = TOOLS + ", \"n\": " + choices + (random.nextBoolean() ? ", \"stop\": \"END\"" : "")
                    + (random.nextBoolean() ? ", \"logprobs\": true" : "")
                    + (random.nextBoolean() ? ", \"max_tokens\": " + (1 + random.nextInt(40)) : "")
                    + (random.nextInt(4) == 0 ? ", \"parallel_tool_calls\": false" : "");

            assertThat(streamed(fields)).as("seed %d: %s", seed, answer).isEqualTo(told(whole(fields)));
        }
    }

    private static void says(OutputFormat format, String promptEnd, List<String> tokens) {
        server.engine().play(Script.of(request -> {
            try (ScriptedModel model = new ScriptedModel(format, promptEnd, tokens, SPECIALS)) {
                return model.generate(request);
            }
        }));
    }

    private static List<String> split(String text) {
        return split(text, new Random(text.hashCode()));
    }

    /** Tokens of one to five characters. */
    private static List<String> split(String text, Random random) {
        List<String> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = Math.min(text.length(), at + 1 + random.nextInt(5));
            end += Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
            tokens.add(text.substring(at, end));
            at = end;
        }
        return tokens;
    }

    private static JsonNode whole(String fields) {
        return JsonMapper.shared()
                .readTree(server.post(ChatBody.PATH, ChatBody.with(fields)).getResponseBody());
    }

    private static List<JsonNode> chunks(String fields) {
        String more = "\"stream\": true, \"stream_options\": {\"include_usage\": true}, ";
        String body = Objects.requireNonNull(
                server.post(ChatBody.PATH, ChatBody.with(more + fields)).getResponseBody());
        assertThat(body).endsWith("data: [DONE]\n\n");
        return body.lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> JsonMapper.shared().readTree(line.substring("data: ".length())))
                .toList();
    }

    private static List<JsonNode> deltas(String fields) {
        return chunks(fields).stream()
                .flatMap(chunk -> chunk.path("choices").valueStream())
                .map(choice -> choice.path("delta"))
                .toList();
    }

    /** What a client can tell of an answer; ids are made up anew each time. */
    private record Told(List<String> choices, String usage) {}

    private static Told told(JsonNode whole) {
        List<String> choices = new ArrayList<>();
        for (JsonNode choice : whole.path("choices")) {
            JsonNode message = choice.path("message");
            StringBuilder calls = new StringBuilder();
            for (JsonNode call : message.path("tool_calls")) {
                calls.append(call.path("function").path("name").stringValue())
                        .append(call.path("function").path("arguments").stringValue());
            }
            choices.add("%s|%s|%s|%s|%s"
                    .formatted(
                            message.path("content").asString(""),
                            message.path("reasoning").asString(""),
                            calls,
                            choice.path("finish_reason").stringValue(),
                            tokens(choice)));
        }
        return new Told(choices, whole.path("usage").toString());
    }

    private static Told streamed(String fields) {
        TreeMap<Integer, Streamed> choices = new TreeMap<>();
        String usage = "";
        for (JsonNode chunk : chunks(fields)) {
            for (JsonNode choice : chunk.path("choices")) {
                choices.computeIfAbsent(choice.path("index").intValue(), index -> new Streamed())
                        .add(choice);
            }
            usage = chunk.path("usage").toString();
        }
        return new Told(choices.values().stream().map(Streamed::told).toList(), usage);
    }

    private static String tokens(JsonNode choice) {
        StringBuilder tokens = new StringBuilder();
        choice.at("/logprobs/content")
                .forEach(token -> tokens.append(token.path("token").stringValue()));
        return tokens.toString();
    }

    /** Adds up chunks as clients do. */
    private static final class Streamed {
        private static final Pattern ID = Pattern.compile("call_[A-Za-z0-9]{24}");
        private final StringBuilder content = new StringBuilder();
        private final StringBuilder reasoning = new StringBuilder();
        private final StringBuilder calls = new StringBuilder();
        private final StringBuilder tokens = new StringBuilder();
        private final List<String> ids = new ArrayList<>();
        private String reason = "";

        void add(JsonNode choice) {
            assertThat(reason).as("nothing follows the end").isEmpty();
            JsonNode delta = choice.path("delta");
            content.append(delta.path("content").asString(""));
            reasoning.append(delta.path("reasoning").asString(""));
            assertThat(delta.path("reasoning_content")).isEqualTo(delta.path("reasoning"));
            tokens.append(tokens(choice));
            if (delta.has("tool_calls")) {
                assertThat(delta.path("tool_calls")).hasSize(1);
                JsonNode call = delta.path("tool_calls").path(0);
                if (call.has("id")) {
                    assertThat(call.path("id").stringValue()).matches(ID);
                    ids.add(call.path("id").stringValue());
                    assertThat(ids).doesNotHaveDuplicates();
                    calls.append(call.path("function").path("name").stringValue());
                }
                assertThat(call.path("index").intValue()).isEqualTo(ids.size() - 1);
                calls.append(call.path("function").path("arguments").stringValue());
            }
            reason = choice.path("finish_reason").asString("");
        }

        String told() {
            return "%s|%s|%s|%s|%s".formatted(content, reasoning, calls, reason, tokens);
        }
    }
}
