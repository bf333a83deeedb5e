package dev.omlx.model.weights;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The default model's real GGUF file, which the build has fetched. */
class SmolLm2GgufIT {
    private final Path directory = Path.of(System.getProperty("omlx.test.models"), "smollm2");
    private Checkpoint checkpoint;

    @BeforeEach
    void open() {
        checkpoint = Checkpoint.open(directory);
    }

    @AfterEach
    void close() {
        checkpoint.close();
        Mappings.requireNone(directory);
    }

    @Test
    void holdsTheTensorsOfThirtyLayers() {
        Map<StoredType, Long> types =
                checkpoint.tensors().values().stream().collect(groupingBy(StoredTensor::type, counting()));
        assertThat(types)
                .containsOnly(
                        Map.entry(StoredType.Q4_1, 210L),
                        Map.entry(StoredType.F32, 61L),
                        Map.entry(StoredType.Q8_0, 1L));
        assertThat(checkpoint.tensor("token_embd.weight").shape()).containsExactly(49_152, 576);
        assertThat(checkpoint.tensor("blk.29.ffn_down.weight").shape()).containsExactly(576, 1536);
    }

    @Test
    void holdsTheModelsNumbersAndVocabulary() {
        GgufMetadata metadata = checkpoint.gguf().orElseThrow();
        assertThat(metadata.string("general.architecture")).isEqualTo("llama");
        assertThat(metadata.intValue("llama.block_count")).isEqualTo(30);
        assertThat(metadata.doubleValue("llama.rope.freq_base")).isEqualTo(100_000);
        assertThat(metadata.flag("tokenizer.ggml.add_bos_token")).isFalse();
        List<String> tokens = metadata.strings("tokenizer.ggml.tokens");
        assertThat(tokens).hasSize(49_152);
        assertThat(tokens.get(metadata.intValue("tokenizer.ggml.eos_token_id"))).isEqualTo("<|im_end|>");
        assertThat(metadata.strings("tokenizer.ggml.merges")).hasSize(48_900);
        assertThat(metadata.ints("tokenizer.ggml.token_type")).hasSize(49_152);
        assertThat(metadata.string("tokenizer.chat_template")).startsWith("{% for message in messages %}");
    }

    @Test
    void everyTensorConvertsToFiniteWeightsOfSensibleSize() {
        for (StoredTensor tensor : checkpoint.tensors().values()) {
            float[] values = new float[(int) tensor.entry().elementCount()];
            HostTensors.toFloat32(tensor, MemorySegment.ofArray(values));
            double squares = 0;
            for (float value : values) {
                squares += value * value;
            }
            assertThat(Math.sqrt(squares / values.length)).as(tensor.name()).isBetween(1e-3, 20.0);
        }
    }
}
