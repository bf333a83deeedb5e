package dev.omlx.cli;

import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how an answer is generated. What is not given is left to the model and the configuration. */
final class SamplingFlags {
    @Option(names = "--temperature", paramLabel = "T", description = "0 (always the likeliest token) to 2.")
    private @Nullable Double temperature;

    @Option(names = "--top-p", paramLabel = "P", description = "Keep the likeliest tokens up to this probability.")
    private @Nullable Double topP;

    @Option(names = "--top-k", paramLabel = "K", description = "Keep this many of the likeliest tokens; 0 keeps all.")
    private @Nullable Integer topK;

    @Option(names = "--min-p", paramLabel = "P", description = "Drop tokens less likely than this share of the best.")
    private @Nullable Double minP;

    @Option(names = "--repetition-penalty", paramLabel = "X", description = "Above 1 repeats less.")
    private @Nullable Double repetitionPenalty;

    @Option(names = "--seed", paramLabel = "N", description = "Makes answers repeatable.")
    private @Nullable Long seed;

    @Option(names = "--max-tokens", paramLabel = "N", description = "Most tokens of an answer.")
    private @Nullable Integer maxTokens;

    @Option(names = "--stop", paramLabel = "TEXT", description = "Ends an answer; may be given again.")
    private List<String> stops = List.of();

    SamplingOptions sampling() {
        return new SamplingOptions(temperature, topP, topK, minP, repetitionPenalty, null, null, seed, Map.of());
    }

    StopConditions stop() {
        return new StopConditions(maxTokens, 0, stops, Set.of(), false);
    }
}
