package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.model.weights.AffineLayout;
import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.StoredTensor;
import dev.omlx.model.weights.StoredType;
import dev.omlx.model.weights.TensorEntry;
import java.util.Optional;

/**
 * Adds up what a checkpoint's tensors take once {@link ModelWeights} has loaded them. Follows the same rules: floating
 * tensors change to the type computed in, packed ones stay or are unpacked. Reads headers only.
 */
final class WeightEstimate {
    private static final String WEIGHT = ".weight";
    private static final String SCALES = ".scales";
    private static final String ZEROS = ".biases";

    /** Names of what the architectures load; a checkpoint that holds more is refused when it is loaded. */
    private static final String BODY = "model.";

    private static final String HEAD = ModelWeights.OUTPUT + ".";

    private final Checkpoint checkpoint;
    private final DType dtype;
    private final boolean dequantize;

    WeightEstimate(Checkpoint checkpoint, DType dtype, boolean dequantize) {
        this.checkpoint = checkpoint;
        this.dtype = dtype;
        this.dequantize = dequantize;
    }

    long gguf() {
        return checkpoint.tensors().values().stream()
                .mapToLong(tensor -> ofGguf(tensor.entry()))
                .sum();
    }

    private long ofGguf(TensorEntry entry) {
        Optional<AffineLayout> packed =
                dequantize || entry.shape().size() < 2 ? Optional.empty() : AffineLayout.of(entry, StoredType.F16);
        return packed.map(layout ->
                        layout.weightBytes() + 2 * layout.scaleBytes() / StoredType.F16.blockBytes() * dtype.bytes())
                .orElse(entry.elementCount() * dtype.bytes());
    }

    /** @param tied whether the output layer is the embedding, so that one that is stored is not loaded */
    long safetensors(QuantizationConfig quantization, ConfigReader config, boolean tied) {
        return checkpoint.tensors().values().stream()
                .filter(tensor -> tensor.name().startsWith(BODY)
                        || (!tied && tensor.name().startsWith(HEAD)))
                .mapToLong(tensor -> ofSafetensors(tensor, quantization, config))
                .sum();
    }

    private long ofSafetensors(StoredTensor tensor, QuantizationConfig quantization, ConfigReader config) {
        String name = tensor.name();
        String path = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        Optional<StoredTensor> scales = checkpoint.find(path + SCALES);
        if (scales.isPresent() && dequantize) {
            if (name.endsWith(SCALES) || name.endsWith(ZEROS)) {
                return 0;
            }
            if (name.endsWith(WEIGHT)) {
                return scales.get().entry().elementCount()
                        * quantization.of(path, config).groupSize()
                        * dtype.bytes();
            }
        }
        boolean floating = switch (tensor.type()) {
            case F64, F32, F16, BF16 -> true;
            default -> false;
        };
        return floating
                ? tensor.entry().elementCount() * dtype.bytes()
                : tensor.entry().byteLength();
    }
}
