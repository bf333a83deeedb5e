package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.text.TextException.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChatTemplateTests {

    private static final List<Map<String, String>> HELLO = List.of(Map.of("role", "user", "content", "Hello"));

    @Test
    void givesTemplatesTheirVariables() {
        ChatTemplate template = template(
                "{{ bos_token }}{{ messages[0].role }}:{{ messages[0].content }}|{{ tools is none }}|{{ documents is none }}"
                        + "|{{ add_generation_prompt }}|{{ enable_thinking is defined }}|{{ pad_token }}");
        assertThat(template.render(ChatRequest.of(HELLO))).isEqualTo("<s>user:Hello|True|True|True|False|");
    }

    @Test
    void passesToolsAndFurtherVariables() {
        ChatTemplate template =
                template("{{ tools | tojson }}{{ enable_thinking }}{{ add_generation_prompt }}{{ bos_token }}");
        ChatRequest request = new ChatRequest(
                HELLO,
                List.of(Map.of("type", "function")),
                false,
                Map.of("enable_thinking", false, "add_generation_prompt", true));
        assertThat(template.render(request)).isEqualTo("[{\"type\": \"function\"}]FalseFalse<s>");
    }

    @Test
    void argumentsOfEarlierCallsAreObjects() {
        ChatTemplate template = template("{% for call in messages[0].tool_calls %}{{ call.function.name }}"
                + "{% if call.function.arguments is mapping %}"
                + "{% for key, value in call.function.arguments.items() %} {{ key }}={{ value }}{% endfor %}"
                + "{% else %} text {{ call.function.arguments }}{% endif %};{% endfor %}");
        assertThat(template.render(calls("{\"b\": [1, 2.5, null], \"a\": \"x\"}")))
                .isEqualTo("f b=[1, 2.5, None] a=x;");
        assertThat(template.render(calls("{\"b\":"))).isEqualTo("f text {\"b\":;");
        assertThat(template.render(calls("[1]"))).isEqualTo("f text [1];");
        assertThat(template.render(calls(""))).isEqualTo("f;");
        assertThat(template.render(calls(Map.of("k", true)))).isEqualTo("f k=True;");
    }

    @Test
    void argumentsOfCallsInTheOldFormAreObjects() {
        ChatTemplate template = template("{{ messages[0].function_call.arguments.city }}");
        Map<String, Object> message =
                Map.of("role", "assistant", "function_call", Map.of("name", "f", "arguments", "{\"city\": \"Oslo\"}"));
        assertThat(template.render(ChatRequest.of(List.of(message)))).isEqualTo("Oslo");
    }

    @Test
    void tellsARefusalInTheTemplatesWords() {
        ChatTemplate template = template("{{ raise_exception('roles must alternate') }}");
        TextException error = catchThrowableOfType(TextException.class, () -> template.render(ChatRequest.of(HELLO)));
        assertThat(error.kind()).isEqualTo(Kind.TEMPLATE_RAISED);
        assertThat(error).hasMessageContaining("roles must alternate");
    }

    @Test
    void tellsAFailureWithItsLine() {
        ChatTemplate template = template("\n{{ messages[0].content + 1 }}");
        TextException error = catchThrowableOfType(TextException.class, () -> template.render(ChatRequest.of(HELLO)));
        assertThat(error.kind()).isEqualTo(Kind.TEMPLATE_FAILED);
        assertThat(error)
                .hasMessageStartingWith("the model's chat template failed")
                .hasMessageContaining("line 2");
    }

    @Test
    void namesATemplateThatCannotBeCompiled() {
        TextException error = catchThrowableOfType(TextException.class, () -> template("{% if %}"));
        assertThat(error.kind()).isEqualTo(Kind.TEMPLATE_BROKEN);
        assertThat(error)
                .hasMessageContaining("toy")
                .hasMessageContaining("\"default\"")
                .hasMessageContaining("line 1");
    }

    private static ChatTemplate template(String source) {
        return new ChatTemplate("toy", Map.of("default", source), Map.of("bos_token", "<s>"));
    }

    private static ChatRequest calls(Object arguments) {
        Map<String, Object> call = Map.of("type", "function", "function", Map.of("name", "f", "arguments", arguments));
        return ChatRequest.of(List.of(Map.of("role", "assistant", "tool_calls", List.of(call))));
    }
}
