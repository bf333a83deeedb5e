package dev.omlx.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.ChatTemplates;
import dev.omlx.text.jinja.JinjaException;
import dev.omlx.text.jinja.JinjaTemplate;
import dev.omlx.text.jinja.RenderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Formats by the templates of real models.
 */
class OutputFormatTests {
    private static final String ARGUMENTS = "{\"city\":\"Oslo\",\"days\":2,\"f\":1.5,\"b\":true,\"n\":null}";

    /** Their calls are turns of their own. */
    private static final Set<String> NOT_READ = Set.of("GigaChat3-10B-A1.8B", "glimmer_chat_template");

    @ParameterizedTest
    @CsvSource({
        "Apertus-8B-Instruct, APERTUS, APERTUS",
        "Bielik-11B-v3.0-Instruct, THINK, HERMES",
        "Cohere2MoE, COHERE, COHERE",
        "GLM-4.6, THINK, GLM",
        "GLM-5.2, THINK, GLM",
        "HuggingFaceTB-SmolLM3-3B, THINK, HERMES",
        "MiMo-VL, NONE, HERMES",
        "Mistral-Small-3.2-24B-Instruct-2506, NONE, MISTRAL",
        "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16, THINK, QWEN3_CODER",
        "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use, NONE, HERMES",
        "Qwen-Qwen2.5-7B-Instruct, NONE, HERMES",
        "Qwen-Qwen3-0.6B, THINK, HERMES",
        "Qwen-Qwen3-Coder-30B-A3B-Instruct, NONE, QWEN3_CODER",
        "StepFun3.5-Flash, THINK, QWEN3_CODER",
        "deepseek-ai-DeepSeek-R1-Distill-Llama-8B, THINK, DEEPSEEK",
        "deepseek-ai-DeepSeek-V3.1, THINK, DEEPSEEK",
        "deepseek-ai-DeepSeek-V4, THINK, DSML",
        "google-gemma-2-2b-it, NONE, HERMES",
        "google-gemma-4-31B-it, GEMMA, GEMMA",
        "laguna_v2_chat_template, THINK, GLM",
        "meetkai-functionary-medium-v3.1, NONE, FUNCTIONARY",
        "meta-llama-Llama-3.1-8B-Instruct, NONE, LLAMA3",
        "meta-llama-Llama-3.2-3B-Instruct, NONE, LLAMA3",
        "microsoft-Phi-3.5-mini-instruct, NONE, HERMES",
        "mistralai-Ministral-3-14B-Reasoning-2512, MISTRAL, MISTRAL",
        "moonshotai-Kimi-K2, NONE, KIMI_K2",
        "openai-gpt-oss-120b, NONE, HARMONY",
        "unsloth-Apriel-1.5, APRIEL, APRIEL"
    })
    void isRecognisedByTheTemplate(String template, ReasoningFormat reasoning, ToolFormat tools) {
        assertThat(OutputFormat.of(source(template))).isEqualTo(new OutputFormat(reasoning, tools));
    }

    /** What a template makes of a call in the history is how its model writes one. */
    @Test
    void readsTheCallsThatTemplatesShow() throws IOException {
        Map<String, String> shown = new LinkedHashMap<>();
        try (var files = Files.list(ChatTemplates.directory().resolve("templates"))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".jinja", "");
                String answer = assistantTurn(source(name));
                if (answer != null && answer.contains("Oslo") && !NOT_READ.contains(name)) {
                    shown.put(name, answer);
                }
            }
        }

        // others render no calls, or begin a turn with a call otherwise than a prompt for one
        assertThat(shown).hasSizeGreaterThan(15);
        shown.forEach((name, answer) -> {
            Parsed parsed = Parsed.of(OutputFormat.of(source(name)), "", answer);
            assertThat(parsed.calls()).as(name + ": " + answer).hasSize(1);
            assertThat(Json.read(parsed.calls().getFirst().replaceFirst("get_weather ", "")))
                    .as(name)
                    .isEqualTo(Json.read(ARGUMENTS));
            assertThat(parsed.text()).as(name).doesNotContain("Oslo");
        });
    }

    @Test
    void tellsWhereThePromptHasBegunToThink() {
        assertThat(ReasoningFormat.THINK.opens("<|assistant|><think>\n")).isTrue();
        assertThat(ReasoningFormat.THINK.opens("<|assistant|><think></think>")).isFalse();
        assertThat(ReasoningFormat.THINK.opens("<think> is a tag<|assistant|>")).isFalse();
        assertThat(ReasoningFormat.GEMMA.opens("<|turn>model\n<|channel>thought\n<channel|>"))
                .isFalse();
        assertThat(ReasoningFormat.NONE.opens("")).isFalse();
    }

    @Test
    void marksAreToldApart() {
        for (ToolFormat format : ToolFormat.values()) {
            List<String> marks = Stream.concat(
                            format.syntax().openers().stream().map(ToolSyntax.Opener::mark),
                            format.syntax().closers().stream())
                    .toList();
            for (String one : marks) {
                assertThat(marks.stream().filter(other -> other.startsWith(one)))
                        .as(format + " " + one)
                        .hasSize(1);
            }
        }
    }

    /** The assistant's turn with a call, without what stands before it in a prompt for one; null if it is not so. */
    private static @Nullable String assistantTurn(String template) {
        try {
            Map<String, Object> tools = context();
            List<?> messages = (List<?>) Objects.requireNonNull(tools.get("messages"));
            String prompt = render(template, tools, messages.subList(0, 2), true);
            String turn = render(template, tools, messages.subList(0, 3), false);
            return turn.startsWith(prompt) ? turn.substring(prompt.length()) : null;
        } catch (JinjaException refused) {
            return null;
        }
    }

    private static String render(String template, Map<String, Object> context, List<?> messages, boolean prompt) {
        Map<String, Object> variables = new LinkedHashMap<>(context);
        variables.put("messages", messages);
        variables.put("add_generation_prompt", prompt);
        return JinjaTemplate.compile(template).render(variables, RenderOptions.defaults());
    }

    private static Map<String, Object> context() {
        JsonNode contexts = JsonMapper.shared().readTree(read("contexts.json"));
        return JsonMapper.shared().convertValue(contexts.get("tools"), new TypeReference<>() {});
    }

    private static String source(String template) {
        return read("templates/" + template + ".jinja");
    }

    private static String read(String file) {
        try {
            return Files.readString(ChatTemplates.directory().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
