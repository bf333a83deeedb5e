package dev.omlx.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.mlx.Tensor;
import dev.omlx.model.weights.CheckpointException;
import dev.omlx.model.weights.GgufBuilder;
import dev.omlx.model.weights.StoredType;
import dev.omlx.testsupport.NativeMlx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Weights that the model would not use are no model's: without them it computes something else. */
class UnexpectedTensorsIT {
    private static final String BIAS = "model.layers.0.self_attn.q_proj.bias";
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    @ParameterizedTest
    @CsvSource({
        "llama, model.layers.0.self_attn.q_proj.bias",
        "llama, model.layers.9.input_layernorm.weight",
        "llama-tied, vision_tower.weight",
        "llama-q4g64, lm_head.bias",
        "llama-nvfp4, model.layers.0.mlp.up_proj.global_scale",
        "qwen2, model.layers.0.self_attn.q_norm.weight",
        "qwen3, model.layers.0.self_attn.o_proj.bias"
    })
    void refusesTensorsThatTheModelDoesNotKnow(String model, String tensor) throws IOException {
        Path file = copy(model, List.of(tensor));
        long before = Tensor.live();

        assertRefused(file, folder, "tensor '" + tensor + "': is unknown to the model");
        assertThat(Tensor.live()).isEqualTo(before);
    }

    @Test
    void namesTheFirstFewAndTellsHowManyMore() throws IOException {
        List<String> names = LongStream.range(0, 9).mapToObj(i -> "extra." + i).toList();

        assertRefused(
                copy("llama", names),
                folder,
                "'extra.0': is unknown to the model, as are 'extra.1', 'extra.2', 'extra.3', 'extra.4', 'extra.5' and 3"
                        + " more");
    }

    @ParameterizedTest
    @CsvSource({
        "llama, model.layers.0.self_attn.rotary_emb.inv_freq",
        "qwen2, model.rotary_emb.inv_freq",
        "llama-tied, lm_head.weight"
    })
    void takesTensorsThatMakeNoDifference(String model, String tensor) throws IOException {
        copy(model, List.of(tensor));

        load(folder);
    }

    @Test
    void refusesWhatAnOutputLayerDoesNotUse() throws IOException {
        assertRefused(copy("llama", List.of(BIAS, "lm_head.scale")), folder, "'" + BIAS + "'", "'lm_head.scale'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"blk.0.attn_q.bias", "blk.1.attn_norm.weight", "rope_factors_long.weight"})
    void refusesTensorsOfGgufThatTheModelDoesNotKnow(String tensor) {
        Path file = gguf(tensor);

        assertRefused(file, file, "tensor '" + tensor + "': is unknown to the model");
    }

    @ParameterizedTest
    @ValueSource(strings = {"blk.0.attn_rot_embd.weight", "rope_freqs.weight"})
    void takesTensorsOfGgufThatMakeNoDifferenceOrAreUsed(String tensor) {
        load(gguf(tensor));
    }

    private static void assertRefused(Path file, Path checkpoint, String... parts) {
        try (ModelLoader files = ModelLoader.open(checkpoint)) {
            assertThatThrownBy(() -> files.load(Precision.STORED))
                    .isInstanceOfSatisfying(
                            CheckpointException.class,
                            refused -> assertThat(refused.kind()).isEqualTo(CheckpointException.Kind.UNEXPECTED_TENSOR))
                    .hasMessageStartingWith(file + ": tensor ")
                    .hasMessageContainingAll(parts);
        }
    }

    private static void load(Path checkpoint) {
        try (ModelLoader files = ModelLoader.open(checkpoint);
                LanguageModel model = files.load(Precision.STORED)) {
            assertThat(model.shape().layers()).isPositive();
        }
    }

    /** A reference model with further tensors of one element each. */
    private Path copy(String model, List<String> tensors) throws IOException {
        Path reference = ReferenceModel.path(model);
        Files.copy(reference.resolve("config.json"), folder.resolve("config.json"));
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(reference.resolve("model.safetensors")))
                .order(ByteOrder.LITTLE_ENDIAN);
        byte[] header = new byte[(int) file.getLong()];
        file.get(header);
        int bytes = file.remaining();
        ObjectNode entries = (ObjectNode) JSON.readTree(header);
        for (String tensor : tensors) {
            JsonNode entry = JSON.valueToTree(
                    Map.of("dtype", "F32", "shape", List.of(1), "data_offsets", List.of(bytes, bytes + Float.BYTES)));
            entries.set(tensor, entry);
            bytes += Float.BYTES;
        }
        byte[] longer = JSON.writeValueAsBytes(entries);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(longer.length)
                .array());
        out.writeBytes(longer);
        out.write(file.array(), file.position(), file.remaining());
        out.writeBytes(new byte[tensors.size() * Float.BYTES]);
        return Files.write(folder.resolve("model.safetensors"), out.toByteArray());
    }

    /** A llama of one layer, two heads of 8 dimensions and 32 tokens, with a further tensor of 4 elements. */
    private Path gguf(String tensor) {
        GgufBuilder gguf = new GgufBuilder()
                .string("general.architecture", "llama")
                .whole("llama.block_count", 1)
                .whole("llama.embedding_length", 16)
                .whole("llama.feed_forward_length", 16)
                .whole("llama.attention.head_count", 2)
                .whole("llama.context_length", 64);
        add(gguf, "token_embd.weight", 16, 32);
        for (String matrix : List.of("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")) {
            add(gguf, "blk.0." + matrix + ".weight", 16, 16);
        }
        add(gguf, "blk.0.attn_norm.weight", 16);
        add(gguf, "blk.0.ffn_norm.weight", 16);
        add(gguf, "output_norm.weight", 16);
        add(gguf, tensor, 4);
        return gguf.write(folder.resolve("m.gguf"));
    }

    private static void add(GgufBuilder gguf, String name, long... dims) {
        int bytes = Math.toIntExact(Arrays.stream(dims).reduce(Float.BYTES, Math::multiplyExact));
        gguf.tensor(name, StoredType.F32, new byte[bytes], dims);
    }
}
