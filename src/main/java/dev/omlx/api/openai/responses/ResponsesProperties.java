package dev.omlx.api.openai.responses;

import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How responses are kept for later requests.
 *
 * @param maxStored responses that are kept at most; 0 keeps none
 * @param maxStoredSize what they may take of the memory together
 */
@Validated
@ConfigurationProperties("omlx.responses")
public record ResponsesProperties(
        @DefaultValue("1000") @Min(0) int maxStored,
        @DefaultValue("64MB") DataSize maxStoredSize) {
    public ResponsesProperties {
        if (maxStoredSize.isNegative()) {
            throw new IllegalArgumentException(
                    "omlx.responses.max-stored-size is " + maxStoredSize + ", but must not be below zero");
        }
    }
}
