package dev.omlx.engine.config;

import dev.omlx.engine.SamplingDefaults;
import dev.omlx.engine.api.SamplingLimit;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How tokens are chosen where a request does not say.
 *
 * @param temperature 0 (always the likeliest token) to 2
 * @param topP keep the likeliest tokens whose probabilities reach this sum
 * @param topK keep this many of the likeliest tokens; 0 keeps all
 * @param minP drop tokens less likely than this share of the likeliest one
 * @param repetitionPenalty above 1 makes tokens of prompt and answer less likely to come again
 */
@Validated
@ConfigurationProperties("omlx.sampling")
public record SamplingProperties(
        @DefaultValue("1.0") @Within(SamplingLimit.TEMPERATURE)
        double temperature,

        @DefaultValue("1.0") @Within(SamplingLimit.TOP_P) double topP,
        @DefaultValue("0") @Within(SamplingLimit.TOP_K) int topK,
        @DefaultValue("0.0") @Within(SamplingLimit.MIN_P) double minP,

        @DefaultValue("1.0") @Within(SamplingLimit.REPETITION_PENALTY)
        double repetitionPenalty) {

    SamplingDefaults toDefaults() {
        return new SamplingDefaults(temperature, topP, topK, minP, repetitionPenalty);
    }
}
