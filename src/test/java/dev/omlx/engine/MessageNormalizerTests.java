package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.Prompt;
import dev.omlx.text.ModelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conversations as clients send them, and what templates of all tempers make of them. */
class MessageNormalizerTests {
    private static final Map<String, Object> TOOL = Map.of(
            "type",
            "function",
            "function",
            Map.of("name", "look", "description", "", "parameters", Map.of("type", "object", "properties", Map.of())));

    /** The tempers of templates. */
    enum Template {
        /** Shows everything where it stands. */
        TOLERANT("""
                {%- for t in tools or [] %}[{{ t.function.name }}]{% endfor %}
                {%- for m in messages %}<|im_start|>{{ m.role }}
                {{ m.content or '' }}
                {%- for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}
                {%- if m.tool_call_id %}({{ m.tool_call_id }}){% endif %}<|im_end|>
                {% endfor %}<|im_start|>assistant
                """),
        /** Knows users and assistants in turn, and nobody else. */
        ALTERNATING("""
                {%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
                {%- for m in messages %}
                {%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}
                {{- '<' + m.role + '>' + m.content | trim + '</>' }}
                {%- endfor %}{{ '<assistant>' }}"""),
        /** As those of Mistral's models. */
        STRICT("""
                {%- if messages[0].role == 'system' %}{{ '[SYS]' + messages[0].content + '[/SYS]' }}
                {%- set rest = messages[1:] %}{% else %}{% set rest = messages %}{% endif %}
                {%- for t in tools or [] %}[{{ t.function.name }}]{% endfor %}
                {%- set ns = namespace(n=0) %}
                {%- for m in rest %}{% if m.role == 'user' or (m.role == 'assistant' and not m.tool_calls) %}
                {%- if (m.role == 'user') != (ns.n % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}
                {%- set ns.n = ns.n + 1 %}{% endif %}{% endfor %}
                {%- for m in rest %}
                {%- if m.role == 'user' %}{{ '[INST]' + m.content + '[/INST]' }}
                {%- elif m.role == 'assistant' %}
                {%- if not m.content and not m.tool_calls %}{{ raise_exception('no text') }}{% endif %}{{ m.content or '' }}
                {%- for c in m.tool_calls or [] %}
                {%- if c.id | length != 9 %}{{ raise_exception('ids must have length 9') }}{% endif %}
                {{- '[CALL ' + c.id + ']' + c.function.arguments | tojson }}{% endfor %}{{ '</s>' }}
                {%- elif m.role == 'tool' %}
                {%- if m.tool_call_id | length != 9 %}{{ raise_exception('ids must have length 9') }}{% endif %}
                {{- '[RESULT ' + m.tool_call_id + ']' + m.content + '[/RESULT]' }}
                {%- else %}{{ raise_exception('only user, assistant and tool') }}{% endif %}
                {%- endfor %}"""),
        /** Takes system messages at the beginning alone. */
        SYSTEM_FIRST("""
                {%- for t in tools or [] %}[{{ t.function.name }}]{% endfor %}
                {%- for m in messages %}
                {%- if m.role == 'system' and not loop.first %}{{ raise_exception('system must be first') }}{% endif %}
                {{- '<' + m.role + '>' + (m.content or '') }}
                {%- for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}{{ m.tool_call_id }}{{ '</>' }}
                {%- endfor %}{{ '<assistant>' }}"""),
        /** Shows system messages in front of all others, so that a late one changes the beginning. */
        HOISTING("""
                {%- for m in messages if m.role == 'system' %}{{ '<system>' + m.content + '</>' }}{% endfor %}
                {%- for m in messages if m.role != 'system' %}
                {{- '<' + m.role + '>' + (m.content or '') + '</>' }}{% endfor %}{{ '<assistant>' }}"""),
        /** Loses all system messages but the first. */
        LOSING("""
                {%- if messages[0].role == 'system' %}{{ '<system>' + messages[0].content + '</>' }}{% endif %}
                {%- for t in tools or [] %}[{{ t.function.name }}]{% endfor %}
                {%- for m in messages if m.role != 'system' %}{{ '<' + m.role + '>' + (m.content or '') }}
                {%- for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}{{ m.tool_call_id }}{{ '</>' }}
                {%- endfor %}{{ '<assistant>' }}""");

        private final String source;

        Template(String source) {
            this.source = source;
        }
    }

    @TempDir
    private Path folder;

    @Test
    void whatTheTemplateShowsStaysAsItIs() throws IOException {
        assertThat(prompt(
                        Template.TOLERANT,
                        ChatMessage.of("system", "A"),
                        ChatMessage.of("system", "B"),
                        ChatMessage.user("C"),
                        ChatMessage.user("D"),
                        call("call_1", "call_2"),
                        result("call_1", "1"),
                        result("call_2", "2"),
                        ChatMessage.user("E"),
                        ChatMessage.of("system", "F")))
                .isEqualTo(turn("system", "A")
                        + turn("system", "B")
                        + turn("user", "C")
                        + turn("user", "D")
                        + turn("assistant", json("call_1") + json("call_2"))
                        + turn("tool", "1(call_1)")
                        + turn("tool", "2(call_2)")
                        + turn("user", "E")
                        + turn("system", "F")
                        + "<|im_start|>assistant");
    }

    @Test
    void lateSystemMessagesBecomeNotesOfTheUserWhereTheyStand() throws IOException {
        for (Template template : List.of(Template.SYSTEM_FIRST, Template.HOISTING, Template.LOSING)) {
            assertThat(prompt(
                            template,
                            ChatMessage.of("system", "A"),
                            ChatMessage.user("B"),
                            ChatMessage.assistant("C"),
                            ChatMessage.of("system", "D"),
                            ChatMessage.user("E")))
                    .as("%s", template)
                    .isEqualTo(
                            "<system>A</><user>B</><assistant>C</><user><system>\nD\n</system></><user>E</><assistant>");
        }
    }

    /** Codex sends two of the developer, then two of the user. */
    @Test
    void neighboursOfOneRoleAreJoinedWhereTheyAreRefused() throws IOException {
        ChatMessage[] codex = {
            ChatMessage.of("system", "A"), ChatMessage.of("system", "B"), ChatMessage.user("C"), ChatMessage.user("D")
        };
        assertThat(prompt(Template.STRICT, codex)).isEqualTo("[SYS]A\n\nB[/SYS][INST]C\n\nD[/INST]");
        assertThat(prompt(Template.SYSTEM_FIRST, codex)).isEqualTo("<system>A\n\nB</><user>C</><user>D</><assistant>");
        assertThat(prompt(Template.LOSING, codex)).isEqualTo("<system>A\n\nB</><user>C</><user>D</><assistant>");
        assertThat(prompt(Template.ALTERNATING, codex)).isEqualTo("<user>A\n\nB\n\nC\n\nD</><assistant>");
        assertThat(prompt(
                        Template.STRICT,
                        ChatMessage.user("A"),
                        ChatMessage.assistant("B"),
                        call("abcdefghi"),
                        result("abcdefghi", "1"),
                        ChatMessage.assistant("C"),
                        ChatMessage.user("D")))
                .isEqualTo("[INST]A[/INST]B[CALL abcdefghi]{}</s>[RESULT abcdefghi]1[/RESULT]C</s>[INST]D[/INST]");
    }

    @Test
    void resultsKeepTheirOrderAndFitTheirCalls() throws IOException {
        String prompt = prompt(
                Template.STRICT,
                ChatMessage.user("A"),
                call("call_of_a_client", "abcdefghi"),
                result("call_of_a_client", "1"),
                result("abcdefghi", "2"),
                ChatMessage.user("B"));

        assertThat(prompt)
                .matches("\\[INST]A\\[/INST]\\[CALL (\\w{9})]\\{}\\[CALL abcdefghi]\\{}</s>"
                        + "\\[RESULT \\1]1\\[/RESULT]\\[RESULT abcdefghi]2\\[/RESULT] </s>\\[INST]B\\[/INST]");
    }

    /** Bug case 35. */
    @Test
    void aLineOfAccountingIsLeftOut() throws IOException {
        String bill = "x-anthropic-billing-header: cc_version=2.1; cch=%s;";
        for (String text : List.of(bill + "\nBe terse.", bill + "\n\n" + bill + "\nBe terse.")) {
            assertThat(prompt(Template.STRICT, ChatMessage.of("system", text.formatted(1, 2)), ChatMessage.user("A")))
                    .isEqualTo("[SYS]Be terse.[/SYS][INST]A[/INST]");
        }
        assertThat(prompt(Template.STRICT, ChatMessage.of("system", bill), ChatMessage.user("A")))
                .isEqualTo("[INST]A[/INST]");
        assertThat(prompt(Template.STRICT, ChatMessage.of("system", "See " + bill), ChatMessage.user(bill)))
                .isEqualTo("[SYS]See " + bill + "[/SYS][INST]" + bill + "[/INST]");
    }

    @Test
    void whatATemplateStillRefusesIsRefusedInItsWords() {
        assertThatThrownBy(() -> prompt(Template.STRICT, ChatMessage.assistant("A"), ChatMessage.user("B")))
                .isInstanceOf(EngineException.InvalidRequest.class)
                .hasMessageContaining("roles must alternate");
    }

    @ParameterizedTest
    @EnumSource
    void aPromptBeginsWithTheOneOfTheTurnBefore(Template template) throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (ModelText text = text(template)) {
            ChatPrompts prompts = new ChatPrompts(text, UnaryOperator.identity());
            for (int round = 0; round < 200; round++) {
                List<Map<String, Object>> tools = random.nextBoolean() ? List.of(TOOL) : List.of();
                Conversation conversation = new Conversation(random);
                String before = "";
                for (int turn = 0; turn < 5; turn++) {
                    conversation.ask();
                    String prompt = rendered(prompts, text, new Prompt.Chat(conversation.messages, tools, Map.of()));
                    String as = "seed %d, round %d: %s".formatted(seed, round, conversation.messages);
                    assertThat(prompt).as(as).startsWith(before);
                    assertThat(prompt).as(as).containsSubsequence(conversation.texts());
                    before = prompt;
                    conversation.answer();
                }
            }
        }
    }

    /** A client's history, which grows. */
    private static final class Conversation {
        private final List<ChatMessage> messages = new ArrayList<>();
        private final Random random;
        private int texts;

        Conversation(Random random) {
            this.random = random;
            for (int systems = random.nextInt(3); systems > 0; systems--) {
                messages.add(ChatMessage.of("system", text()));
            }
        }

        /** All that comes between two answers. */
        void ask() {
            List<ToolCall> calls =
                    messages.isEmpty() ? List.of() : messages.getLast().toolCalls();
            calls.forEach(call -> messages.add(result(call.id(), text())));
            int more = calls.isEmpty() ? random.nextInt(1, 4) : random.nextInt(3);
            for (int i = 0; i < more; i++) {
                // the first to speak is a user
                boolean note = i > 0 && random.nextInt(3) == 0;
                messages.add(ChatMessage.of(note ? "system" : "user", text()));
            }
        }

        void answer() {
            if (random.nextInt(3) == 0) {
                messages.add(ChatMessage.assistant(text()));
            }
            messages.add(
                    random.nextInt(3) == 0
                            ? call(random.ints(random.nextInt(1, 3), 0, 1_000_000)
                                    .mapToObj(id -> "call_" + id)
                                    .toArray(String[]::new))
                            : ChatMessage.assistant(text()));
        }

        /** What all have said, in order. */
        List<String> texts() {
            return messages.stream()
                    .map(ChatMessage::content)
                    .filter(text -> text != null)
                    .toList();
        }

        private String text() {
            return "text %d.".formatted(texts++);
        }
    }

    private static ChatMessage call(String... ids) {
        List<ToolCall> calls = new ArrayList<>();
        for (String id : ids) {
            calls.add(new ToolCall(id, "look", "{}"));
        }
        return new ChatMessage("assistant", null, null, calls, null, null);
    }

    private static ChatMessage result(String id, String content) {
        return new ChatMessage("tool", content, null, List.of(), id, null);
    }

    private static String turn(String role, String text) {
        return "<|im_start|>" + role + "\n" + text + "<|im_end|>\n";
    }

    private static String json(String id) {
        return "{\"id\": \"" + id
                + "\", \"type\": \"function\", \"function\": {\"name\": \"look\", \"arguments\": {}}}";
    }

    private String prompt(Template template, ChatMessage... messages) throws IOException {
        try (ModelText text = text(template)) {
            return rendered(new ChatPrompts(text, UnaryOperator.identity()), text, Prompt.Chat.of(List.of(messages)));
        }
    }

    private static String rendered(ChatPrompts prompts, ModelText text, Prompt.Chat chat) {
        return text.tokenizer().decode(prompts.prepare(chat).ids(), false);
    }

    private ModelText text(Template template) throws IOException {
        Files.writeString(
                folder.resolve("tokenizer.json"),
                Files.readString(Path.of("src/test/resources/text/toy/tokenizer.json")));
        Files.writeString(folder.resolve("chat_template.jinja"), template.source);
        return ModelText.of(folder);
    }
}
