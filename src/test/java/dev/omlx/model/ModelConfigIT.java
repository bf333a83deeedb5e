package dev.omlx.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.mlx.Tensor;
import dev.omlx.testsupport.NativeMlx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only the building of a model can refuse of its configuration. */
class ModelConfigIT {
    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            llama | "use_qk_norm": true | 'use_qk_norm' is true
            qwen3 | "use_qk_norm": false | 'use_qk_norm' is false
            qwen2 | "mlp_bias": true | 'mlp_bias' is true
            qwen2 | "layer_types": ["chunked_attention", "full_attention"] | 'layer_types'
            qwen3 | "rope_theta": 1e308 | 'rope_theta' must be a number above 0 and at most 3.4028235E38, not 1.0E308
            llama | "sliding_window": "x" | 'sliding_window' must be a whole number from 0 to 16777216, not x
            mistral | "sliding_window": -1 | 'sliding_window' must be a whole number
            qwen2 | "sliding_window": true | 'sliding_window' must be a whole number
            qwen2 | "max_window_layers": "x" | 'max_window_layers' must be a whole number
            llama | "rope_scaling": {"type": "dynamic", "factor": 2.0} | 'rope_scaling.type' is 'dynamic'
            llama | "rope_scaling": {"rope_type": "yarn", "factor": 2.0} | 'rope_scaling.rope_type' is 'yarn'
            llama | "rope_parameters": {"rope_type": "yarn", "factor": 2.0} | 'rope_parameters.rope_type' is 'yarn'
            llama | "rope_parameters": {"partial_rotary_factor": 0.5} | 'rope_parameters.partial_rotary_factor' is 0.5
            llama | "rope_parameters": {"full_attention": {"rope_theta": 5}} | 'rope_parameters.full_attention'
            """)
    void refusesWhatWouldChangeTheNumbers(String model, String entry, String fault) throws IOException {
        Path reference = ReferenceModel.path(model);
        Files.copy(reference.resolve("model.safetensors"), folder.resolve("model.safetensors"));
        Files.writeString(
                folder.resolve("config.json"),
                Files.readString(reference.resolve("config.json")).strip().replaceFirst("}$", "," + entry + "}"));
        long before = Tensor.live();

        try (ModelLoader files = ModelLoader.open(folder)) {
            assertThatThrownBy(() -> files.load(Precision.STORED))
                    .isInstanceOf(ModelConfigException.class)
                    .hasMessageContainingAll("config.json: ", fault);
        }
        assertThat(Tensor.live()).isEqualTo(before);
    }
}
