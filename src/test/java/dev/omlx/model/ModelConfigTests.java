package dev.omlx.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A {@code config.json} is taken for what it says, or refused by the key that cannot be honoured. */
class ModelConfigTests {
    /** Its heads have 16 dimensions. */
    private static final Path MODEL = ReferenceModel.path("llama");

    @TempDir
    private Path folder;

    private Path config;

    @BeforeEach
    void copyWeights() throws IOException {
        Files.copy(MODEL.resolve("model.safetensors"), folder.resolve("model.safetensors"));
        config = folder.resolve("config.json");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "hidden_act": "relu"                     | 'hidden_act' is 'relu', which is not supported
            "hidden_act": "sinh"                     | 'hidden_act' is 'sinh', which is not supported
            "hidden_act": 3                          | 'hidden_act' must be a text, not 3
            "hidden_activation": "gelu"              | 'hidden_activation' is 'gelu', which is not supported
            "logit_scale": 0.0625                    | 'logit_scale' is 0.0625, which is not supported; only 1 is
            "logits_scaling": 8                      | 'logits_scaling' is 8
            "embedding_multiplier": 12               | 'embedding_multiplier' is 12
            "residual_multiplier": 0.22              | 'residual_multiplier' is 0.22
            "partial_rotary_factor": 0.5             | 'partial_rotary_factor' is 0.5
            "partial_rotary_factor": "x"             | 'partial_rotary_factor' must be a number, not x
            "partial_rotary_factor": NaN             | 'partial_rotary_factor' is NaN
            "attention_multiplier": 0.0078125        | 'attention_multiplier' is 0.0078125, which is not supported; only 0.25 is
            "query_pre_attn_scalar": 224             | 'query_pre_attn_scalar' is 224, which is not supported; only 16 is
            "v_head_dim": 8                          | 'v_head_dim' is 8
            "attn_logit_softcapping": 50.0           | 'attn_logit_softcapping' is 50.0, which is not supported; only 0 is
            "final_logit_softcapping": 30            | 'final_logit_softcapping' is 30
            "num_local_experts": 8                   | 'num_local_experts' is 8
            "is_causal": false                       | 'is_causal' is false, which is not supported; only true is
            "use_bidirectional_attention": true      | 'use_bidirectional_attention' is true
            "quantization": {"bits": 99, "group_size": 64} | 'quantization.bits' is 99 in groups of 64
            "quantization": {"bits": 4, "group_size": 64, "lm_head": {"bits": 7, "group_size": 64}} | 'quantization.lm_head.bits' is 7
            """)
    void refusesWhatWouldChangeTheNumbers(String entry, String fault) {
        write(entry);
        assertThatThrownBy(this::plan)
                .isInstanceOf(ModelConfigException.class)
                .hasMessageStartingWith(config + ": " + fault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"hidden_act\": \"swish\"",
                "\"hidden_act\": null",
                "\"logit_scale\": 1.0, \"residual_multiplier\": 1",
                "\"partial_rotary_factor\": 1.0",
                "\"attention_multiplier\": 0.25, \"query_pre_attn_scalar\": 16, \"v_head_dim\": 16",
                "\"attn_logit_softcapping\": null, \"final_logit_softcapping\": 0, \"num_local_experts\": 0",
                "\"attention_dropout\": 0.1, \"pretraining_tp\": 2, \"use_cache\": false, \"is_causal\": true",
                "\"quantization_config\": {\"quant_method\": \"fp8\"}",
                "\"sliding_window\": null",
                "\"sliding_window\": 4096"
            })
    void takesWhatIsNeutral(String entry) {
        write(entry);
        plan();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            []              | is not a JSON object
            3               | is not a JSON object
            ~~              | is not a JSON object
            {"a": 1         | is not JSON at line 1, column 8: it ends too early
            {"a": 1]        | is not JSON at line 1, column 8: unexpected close marker ']'
            {"a": nul}      | is not JSON at line 1, column
            {"a":: 1}       | is not JSON at line 1, column
            """)
    void saysInPlainWordsWhatIsNoConfiguration(String json, String fault) {
        write(config, json);
        assertThatThrownBy(this::plan)
                .isInstanceOf(ModelConfigException.class)
                .hasMessageStartingWith(config + ": " + fault)
                .hasMessageNotContainingAny("java.", "jackson", "Source", "`");
    }

    @Test
    void saysThatItIsNoFile() throws IOException {
        assertThatThrownBy(this::plan).hasMessage(config + ": cannot be read: no such file or folder");
        Files.createSymbolicLink(config, config);
        assertThatThrownBy(this::plan)
                .hasMessageStartingWith(config + ": cannot be read: ")
                .hasMessageContaining("symbolic links");
        Files.delete(config);
        Files.createSymbolicLink(config, folder.resolve("gone"));
        assertThatThrownBy(this::plan)
                .hasMessage(config + ": cannot be read: it is a link to a file that is not there");
        Files.delete(config);
        Files.createDirectory(config);
        assertThatThrownBy(this::plan).hasMessage(config + ": cannot be read: it is a folder");
    }

    /** The reference's configuration with another entry, which wins over one of the same key. */
    private void write(String entry) {
        try {
            String json = Files.readString(MODEL.resolve("config.json"), StandardCharsets.UTF_8);
            assertThat(json).contains("\"hidden_act\": \"silu\"");
            String key = entry.substring(0, entry.indexOf(':'));
            write(
                    config,
                    json.replaceFirst("(?m)^\\s*" + key + ":[^\\n]*,\\n", "")
                            .strip()
                            .replaceFirst("}$", "," + entry + "}"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void plan() {
        try (ModelLoader files = ModelLoader.open(folder)) {
            files.plan(Precision.STORED);
        }
    }
}
