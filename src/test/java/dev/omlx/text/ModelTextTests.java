package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.text.TextException.Kind;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelTextTests {

    @TempDir
    private Path folder;

    @BeforeEach
    void copyTokenizer() {
        Toy.copyTo(folder);
    }

    @Test
    void takesTheEndOfAnswersFromTheGenerationConfig() {
        Toy.write(
                folder,
                "tokenizer_config.json",
                "{\"eos_token\":{\"content\":\"<|im_end|>\"},\"bos_token\":\"<|im_start|>\"}");
        Toy.write(folder, "config.json", "{\"eos_token_id\":5,\"time_step_limit\":[0.0,Infinity]}");
        try (ModelText model = ModelText.of(folder)) {
            assertThat(model.tokenizer().bosId()).hasValue(1);
            assertThat(model.tokenizer().eosIds()).containsExactlyInAnyOrder(2, 5);
        }
        Toy.write(folder, "generation_config.json", "{\"eos_token_id\":[0,7]}");
        try (ModelText model = ModelText.of(folder)) {
            assertThat(model.tokenizer().eosIds()).containsExactlyInAnyOrder(0, 2, 7);
        }
        Toy.write(folder, "generation_config.json", "{\"eos_token_id\":0}");
        try (ModelText model = ModelText.of(folder)) {
            assertThat(model.tokenizer().eosIds()).containsExactlyInAnyOrder(0, 2);
        }
    }

    @Test
    void findsNamedTokensInEitherFile() {
        Toy.write(
                folder, "special_tokens_map.json", "{\"bos_token\":\"<|endoftext|>\",\"eos_token\":\"<|im_start|>\"}");
        Toy.write(
                folder,
                "tokenizer_config.json",
                "{\"eos_token\":\"<|im_end|>\",\"add_bos_token\":true,\"pad_token\":null}");
        try (ModelText model = ModelText.of(folder)) {
            assertThat(model.tokenizer().bosId()).hasValue(0);
            assertThat(model.tokenizer().eosIds()).containsExactly(2);
        }
    }

    @Test
    void saysThatThereIsNoTemplate() {
        try (ModelText model = ModelText.of(folder)) {
            assertThat(model.hasChatTemplate()).isFalse();
            TextException error = catchThrowableOfType(TextException.class, model::chatTemplate);
            assertThat(error.kind()).isEqualTo(Kind.TEMPLATE_MISSING);
            assertThat(error).hasMessageContaining(folder.toString()).hasMessageContaining("chat_template.jinja");
        }
    }

    @Test
    void prefersATemplateInAFileOfItsOwn() {
        Toy.write(folder, "tokenizer_config.json", "{\"chat_template\":\"configured\"}");
        assertThat(sourceOf(false)).isEqualTo("configured");
        Toy.write(folder, "chat_template.json", "{\"chat_template\":\"wrapped\"}");
        assertThat(sourceOf(false)).isEqualTo("wrapped");
        Toy.write(folder, "chat_template.jinja", "own");
        assertThat(sourceOf(false)).isEqualTo("own");
        assertThat(sourceOf(true)).isEqualTo("own");
    }

    @Test
    void picksTheNamedTemplateForTools() {
        Toy.write(
                folder,
                "tokenizer_config.json",
                "{\"chat_template\":[{\"name\":\"default\",\"template\":\"plain\"},"
                        + "{\"name\":\"tool_use\",\"template\":\"tools\"}]}");
        assertThat(sourceOf(false)).isEqualTo("plain");
        assertThat(sourceOf(true)).isEqualTo("tools");
        Toy.write(folder, "additional_chat_templates/tool_use.jinja", "tools in a file");
        assertThat(sourceOf(true)).isEqualTo("tools in a file");
        assertThat(sourceOf(false)).isEqualTo("plain");
    }

    private String sourceOf(boolean withTools) {
        try (ModelText model = ModelText.of(folder)) {
            return model.chatTemplate().source(withTools);
        }
    }
}
