package dev.omlx.engine.config;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Device;
import dev.omlx.model.Precision;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.parse.ToolFormat;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Which model is served, and how it computes.
 *
 * @param defaultModel id of a model below {@code omlx.home/models}, a directory, or a {@code .gguf} file
 * @param contextLength most tokens of prompt and answer together; by default, and at most, what the model was made for
 * @param dtype what is computed in; auto is float32 on the CPU and the model's own type on a GPU
 * @param dequantize whether quantised weights are unpacked when they are loaded; by default on the CPU only, where MLX
 *     computes with packed weights slowly
 * @param reasoningParser how the model marks its thoughts; by default what its chat template shows
 * @param toolParser how the model writes tool calls; by default what its chat template shows
 */
@Validated
@ConfigurationProperties("omlx.models")
public record ModelProperties(
        @DefaultValue("smollm2") @NotBlank String defaultModel,
        @Nullable @Min(2) Integer contextLength,
        @DefaultValue("auto") ComputeType dtype,
        @Nullable Boolean dequantize,
        @Nullable ReasoningFormat reasoningParser,
        @Nullable ToolFormat toolParser) {

    /** Types to compute in. */
    public enum ComputeType {
        /** What is fast on the device. */
        AUTO,
        /** The checkpoint's own. */
        STORED,
        FLOAT32,
        FLOAT16,
        BFLOAT16
    }

    /** How the model writes, where that is set, and else as its chat template shows. */
    OutputFormat output(OutputFormat shown) {
        return shown.with(reasoningParser, toolParser);
    }

    Precision precision(Device device) {
        Precision auto = Precision.auto(device);
        DType type = switch (dtype) {
            case AUTO -> auto.dtype();
            case STORED -> null;
            case FLOAT32 -> DType.FLOAT32;
            case FLOAT16 -> DType.FLOAT16;
            case BFLOAT16 -> DType.BFLOAT16;
        };
        boolean unpack = dtype == ComputeType.STORED ? false : auto.dequantize();
        return new Precision(type, dequantize == null ? unpack : dequantize);
    }
}
