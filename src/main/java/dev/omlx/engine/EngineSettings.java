package dev.omlx.engine;

import dev.omlx.ffi.NativeSearch;
import dev.omlx.mlx.Device;
import dev.omlx.model.Precision;
import dev.omlx.parse.OutputFormat;
import dev.omlx.sched.SchedulerConfig;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is started with.
 *
 * @param model the model it serves
 * @param nativeLibrary where to look for MLX
 * @param precision what the model computes in, on the device there is
 * @param contextLength most positions of a sequence; null takes the model's own
 * @param memoryLimit bytes that MLX may hold
 * @param sampling what requests leave open
 * @param output how the model writes reasoning and tool calls, given what its chat template shows
 */
public record EngineSettings(
        ModelLocation model,
        NativeSearch nativeLibrary,
        Function<Device, Precision> precision,
        @Nullable Integer contextLength,
        long memoryLimit,
        SchedulerConfig scheduler,
        SamplingDefaults sampling,
        UnaryOperator<OutputFormat> output) {}
