package dev.omlx.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.GgufBuilder;
import dev.omlx.model.weights.StoredType;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What GGUF metadata ask for is computed or refused, as what {@code config.json} asks for. */
class GgufConfigTests {
    @TempDir
    private Path folder;

    static Stream<Arguments> unsupported() {
        return Stream.of(
                refused("logit_scale", gguf -> gguf.real("llama.logit_scale", 0.5f)),
                refused("residual_multiplier", gguf -> gguf.real("llama.residual_scale", 0.5f)),
                refused("embedding_multiplier", gguf -> gguf.real("llama.embedding_scale", 12)),
                refused("attention_multiplier", gguf -> gguf.real("llama.attention.scale", 0.5f)),
                refused("attn_logit_softcapping", gguf -> gguf.real("llama.attn_logit_softcapping", 50)),
                refused("final_logit_softcapping", gguf -> gguf.real("llama.final_logit_softcapping", 30)),
                refused("num_local_experts", gguf -> gguf.whole("llama.expert_count", 8)),
                refused("v_head_dim", gguf -> gguf.whole("llama.attention.value_length", 4)),
                refused("partial_rotary_factor", gguf -> gguf.whole("llama.rope.dimension_count", 4)),
                refused("use_parallel_residual", gguf -> gguf.flag("llama.use_parallel_residual", true)),
                refused("is_causal", gguf -> gguf.flag("llama.attention.causal", false)));
    }

    private static Arguments refused(String key, UnaryOperator<GgufBuilder> change) {
        return Arguments.of(key, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unsupported")
    void refusesWhatWouldChangeTheNumbers(String key, UnaryOperator<GgufBuilder> change) {
        Path file = change.apply(builder()).write(folder.resolve("m.gguf"));
        try (ModelLoader files = ModelLoader.open(file)) {
            assertThatThrownBy(() -> files.plan(Precision.STORED))
                    .isInstanceOf(ModelConfigException.class)
                    .hasMessageContainingAll(file + ": '" + key + "' is ", "not supported");
        }
    }

    @Test
    void takesWhatIsNeutral() {
        Path file = builder()
                .real("llama.logit_scale", 1)
                .whole("llama.expert_count", 0)
                .whole("llama.attention.value_length", 8)
                .whole("llama.rope.dimension_count", 8)
                .flag("llama.attention.causal", true)
                .write(folder.resolve("m.gguf"));
        try (ModelLoader files = ModelLoader.open(file)) {
            assertThat(files.plan(Precision.STORED).shape().headDim()).isEqualTo(8);
        }
    }

    @Test
    void readsTheScalingOfRoPEAsLlamaCppDoes() {
        assertThat(scaling(builder())).isNull();
        assertThat(scaling(builder().string("llama.rope.scaling.type", "none").real("llama.rope.scaling.factor", 4)))
                .isNull();
        assertThat(scaling(builder().real("llama.rope.scaling.factor", 4)))
                .isEqualTo(Map.of("rope_type", "linear", "factor", 4.0));
        assertThat(scaling(builder().real("llama.rope.scale_linear", 2)))
                .isEqualTo(Map.of("rope_type", "linear", "factor", 2.0));
        assertThat(scaling(builder().string("llama.rope.scaling.type", "yarn"))).isEqualTo(Map.of("rope_type", "yarn"));
        assertThat(scaling(withFactors())).isEqualTo(Map.of("rope_type", RopeConfig.FACTORS));
        assertThat(scaling(withFactors().string("llama.rope.scaling.type", "yarn")))
                .isEqualTo(Map.of("rope_type", "yarn beside rope_freqs.weight"));
    }

    private @Nullable Object scaling(GgufBuilder builder) {
        try (Checkpoint checkpoint = Checkpoint.open(builder.write(folder.resolve("m.gguf")))) {
            return GgufConfig.of(checkpoint, checkpoint.gguf().orElseThrow()).get("rope_scaling");
        }
    }

    private static GgufBuilder withFactors() {
        return builder().tensor("rope_freqs.weight", StoredType.F32, new byte[16], 4);
    }

    /** Two heads of 8 dimensions. */
    private static GgufBuilder builder() {
        return new GgufBuilder()
                .string("general.architecture", "llama")
                .whole("llama.block_count", 1)
                .whole("llama.embedding_length", 16)
                .whole("llama.feed_forward_length", 16)
                .whole("llama.attention.head_count", 2)
                .real("llama.attention.layer_norm_rms_epsilon", 1e-5f)
                .tensor("token_embd.weight", StoredType.F32, new byte[4 * 16 * 4], 16, 4);
    }
}
