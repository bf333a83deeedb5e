package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.Prompt;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.OutputParser;
import dev.omlx.parse.Piece;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.text.ModelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a conversation reaches the model, and how its answer is read. */
class ChatPromptsTests {
    private static final String IGNORES_TOOLS = """
            {%- for m in messages %}<|im_start|>{{ m.role }}
            {{ m.content + '<|im_end|>' }}
            {% endfor %}<|im_start|>assistant
            """;
    private static final String SHOWS_TOOLS = """
            {%- for t in tools or [] %}[{{ t.function.name }}]{% endfor %}
            {%- for m in messages %}({{ m.role }}: {{ m.reasoning_content }}/{{ m.content }}
            {%- for c in m.tool_calls or [] %} <tool_call>{{ c.function.name }} {{ c.function.arguments.city }}{% endfor %})
            {%- endfor %}<think>
            """;
    private static final Map<String, Object> TOOL = Map.of(
            "type",
            "function",
            "function",
            Map.of("name", "get_weather", "parameters", Map.of("required", List.of("city"))));
    private static final ToolCall CALL = new ToolCall("c1", "get_weather", "{\"city\":\"Oslo\"}");

    @TempDir
    private Path folder;

    @Test
    void showsToolsCallsAndResultsByTheTemplate() throws IOException {
        assertThat(prompt(SHOWS_TOOLS, conversation(List.of(TOOL))))
                .isEqualTo(
                        "[get_weather](user: /Weather?)(assistant: hm/None <tool_call>get_weather Oslo)(tool: /42)<think>");
    }

    @Test
    void spellsToolsOutWhereTheTemplateIgnoresThem() throws IOException {
        String prompt = prompt(IGNORES_TOOLS, conversation(List.of(TOOL)));

        assertThat(prompt)
                .startsWith("<|im_start|>system\nYou may call functions")
                .contains("<tools>\n{\"", "\"name\":\"get_weather\"", "\n</tools>")
                .contains(
                        "<|im_start|>assistant\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\":\"Oslo\"}}"
                                + "\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n42\n</tool_response><|im_end|>");
    }

    @Test
    void declaresNothingWhereThereIsNothing() throws IOException {
        assertThat(prompt(IGNORES_TOOLS, Prompt.Chat.of(List.of(ChatMessage.user("Hi")))))
                .isEqualTo("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant");
    }

    @Test
    void putsDeclarationsBehindTheSystemMessageAndResultsTogether() throws IOException {
        String prompt = prompt(
                IGNORES_TOOLS,
                new Prompt.Chat(
                        List.of(ChatMessage.of("system", "Be terse."), result("1"), result("2"), ChatMessage.user("?")),
                        List.of(TOOL),
                        Map.of()));

        assertThat(prompt)
                .startsWith("<|im_start|>system\nBe terse.\n\nYou may call")
                .contains("<|im_start|>user\n<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response>"
                        + "<|im_end|>\n<|im_start|>user\n?<|im_end|>");
    }

    @Test
    void readsTheAnswerAsTheTemplateAndThePromptSay() throws IOException {
        assertThat(read(SHOWS_TOOLS, UnaryOperator.identity(), "Hm.</think>Hi"))
                .containsExactly(new Piece.Reasoning(0, "Hm."), new Piece.Text(11, "Hi"));
        assertThat(read(SHOWS_TOOLS, shown -> shown.with(ReasoningFormat.NONE, ToolFormat.NONE), "Hm.</think>Hi"))
                .containsExactly(new Piece.Text(0, "Hm.</think>Hi"));
        assertThat(read(
                        IGNORES_TOOLS,
                        UnaryOperator.identity(),
                        "{\"name\":\"get_weather\",\"arguments\":{\"city\":\"a\"}}"))
                .singleElement()
                .isInstanceOf(Piece.ToolCall.class);
    }

    private static ChatMessage result(String content) {
        return new ChatMessage("tool", content, null, List.of(), "c1", null);
    }

    private static Prompt.Chat conversation(List<Map<String, Object>> tools) {
        return new Prompt.Chat(
                List.of(
                        ChatMessage.user("Weather?"),
                        new ChatMessage("assistant", null, "hm", List.of(CALL), null, null),
                        result("42")),
                tools,
                Map.of());
    }

    private String prompt(String template, Prompt.Chat chat) throws IOException {
        try (ModelText text = text(template)) {
            int[] ids = new ChatPrompts(text, UnaryOperator.identity())
                    .prepare(chat)
                    .ids();
            return text.tokenizer().decode(ids, false);
        }
    }

    private List<Piece> read(String template, UnaryOperator<OutputFormat> output, String answer) throws IOException {
        List<Piece> pieces = new ArrayList<>();
        try (ModelText text = text(template)) {
            OutputParser parser = new ChatPrompts(text, output)
                    .prepare(conversation(List.of(TOOL)))
                    .parsers()
                    .get();
            parser.feed(answer, pieces::add);
            parser.finish(pieces::add);
        }
        return pieces;
    }

    private ModelText text(String template) throws IOException {
        Files.copy(Path.of("src/test/resources/text/toy/tokenizer.json"), folder.resolve("tokenizer.json"));
        Files.writeString(folder.resolve("chat_template.jinja"), template);
        ModelText text = ModelText.of(folder);
        Files.delete(folder.resolve("tokenizer.json"));
        return text;
    }
}
