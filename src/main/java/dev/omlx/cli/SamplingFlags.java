package dev.omlx.cli;

import dev.omlx.engine.api.SamplingLimit;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how an answer is generated. What is not given is left to the model and the configuration. */
final class SamplingFlags {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

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

    /** @throws ParameterException if a number is out of its range */
    SamplingOptions sampling() {
        return new SamplingOptions(
                within(SamplingLimit.TEMPERATURE, temperature),
                within(SamplingLimit.TOP_P, topP),
                within(SamplingLimit.TOP_K, topK),
                within(SamplingLimit.MIN_P, minP),
                within(SamplingLimit.REPETITION_PENALTY, repetitionPenalty),
                null,
                null,
                seed,
                Map.of());
    }

    /** @throws ParameterException if it can never be met */
    StopConditions stop() {
        if (stops.contains("")) {
            throw refused("--stop must not be an empty text");
        }
        return new StopConditions(within(SamplingLimit.MAX_TOKENS, maxTokens), 0, stops, Set.of(), false);
    }

    private <N extends Number> @Nullable N within(SamplingLimit limit, @Nullable N value) {
        if (value != null && !limit.range().contains(value.doubleValue())) {
            String flag = "--" + limit.name().toLowerCase(Locale.ROOT).replace('_', '-');
            throw refused(flag + " = '" + value + "' must be " + limit.range());
        }
        return value;
    }

    private ParameterException refused(String why) {
        return new ParameterException(Objects.requireNonNull(command).commandLine(), why);
    }
}
