package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Quantization;
import dev.omlx.mlx.Tensor;
import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.CheckpointException;
import dev.omlx.model.weights.StoredTensor;
import dev.omlx.model.weights.StoredType;
import dev.omlx.model.weights.TensorReader;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Weights of safetensors files in MLX's layout, whose names are the architectures' own. Borrows checkpoint and reader. */
final class SafetensorsSource implements WeightSource {
    private static final Set<StoredType> FLOATING = EnumSet.of(StoredType.F32, StoredType.F16, StoredType.BF16);
    private static final Set<StoredType> PACKED = EnumSet.of(StoredType.U32);
    private static final Set<StoredType> CODES = EnumSet.of(StoredType.U8);

    /** Older checkpoints hold the frequencies of RoPE too, which follow from the configuration. */
    private static final String FREQUENCIES = "rotary_emb.inv_freq";

    private final Checkpoint checkpoint;
    private final UnreadTensors unread;
    private final TensorReader reader;
    private final ConfigReader config;
    private final QuantizationConfig quantization;

    SafetensorsSource(Checkpoint checkpoint, TensorReader reader, ConfigReader config) {
        this.checkpoint = checkpoint;
        this.unread = new UnreadTensors(checkpoint);
        this.reader = reader;
        this.config = config;
        this.quantization = QuantizationConfig.read(config);
    }

    @Override
    public boolean has(String name) {
        return checkpoint.find(name).isPresent();
    }

    @Override
    public DType storedType(String path) {
        String scales = path + ".scales";
        StoredType type =
                checkpoint.tensor(has(scales) ? scales : path + ".weight").type();
        return switch (type) {
            case F16 -> DType.FLOAT16;
            case BF16 -> DType.BFLOAT16;
            default -> DType.FLOAT32;
        };
    }

    @Override
    public Tensor tensor(String name, int... shape) {
        return reader.asStored(unread.read(name, shape));
    }

    @Override
    public Matrix matrix(String path, int rows, int columns, boolean dequantize) {
        if (!has(path + ".scales")) {
            return new Matrix.Dense(tensor(path + ".weight", rows, columns));
        }
        Quantization packing = quantization.of(path, config);
        if (columns % packing.groupSize() != 0) {
            throw config.fault(
                    "quantization",
                    "has groups of " + packing.groupSize() + ", but a row of " + path + " has " + columns);
        }
        int groups = columns / packing.groupSize();
        Tensor weight = tensor(path + ".weight", rows, columns * packing.bits() / 32);
        Tensor scales = tensor(path + ".scales", rows, groups);
        boolean affine = packing.mode() == Quantization.Mode.AFFINE;
        requireType(path + ".weight", PACKED);
        requireType(path + ".scales", affine ? FLOATING : CODES);
        Tensor zeros = affine ? tensor(path + ".biases", rows, groups) : null;
        return dequantize
                ? new Matrix.Dense(dense(weight, scales, zeros, packing))
                : new Matrix.Packed(weight, scales, zeros, packing);
    }

    /** As mlx-lm: an output layer beside tied embeddings is not looked at. */
    @Override
    public void requireAllRead() {
        boolean tied = DecoderConfig.read(config).tiedEmbeddings();
        unread.requireNone(name -> name.endsWith(FREQUENCIES) || (tied && name.startsWith(ModelWeights.OUTPUT + ".")));
    }

    /** In float32 from the start, so that nothing is rounded that the file holds. */
    private static Tensor dense(Tensor weight, Tensor scales, @Nullable Tensor zeros, Quantization packing) {
        return zeros == null
                ? Ops.dequantize(weight, scales, null, packing, DType.FLOAT32)
                : Ops.dequantize(
                        weight,
                        Ops.astype(scales, DType.FLOAT32),
                        Ops.astype(zeros, DType.FLOAT32),
                        packing,
                        DType.FLOAT32);
    }

    private void requireType(String name, Set<StoredType> types) {
        StoredTensor tensor = checkpoint.tensor(name);
        if (!types.contains(tensor.type())) {
            throw CheckpointException.wrongType(tensor.file().path(), name, types, tensor.type());
        }
    }
}
