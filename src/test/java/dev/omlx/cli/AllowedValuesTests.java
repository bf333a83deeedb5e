package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.SamplingLimit;
import dev.omlx.engine.config.Within;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.lang.reflect.Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Bindable;

class AllowedValuesTests {
    /** Numbers in all the ways that one can be bounded. */
    record Bounded(
            int any,
            @Min(1) int low,
            @Max(9) Long high,
            @Min(1) @Max(9) int both,
            @DecimalMin("0.5") double lowDecimal,
            @DecimalMax("2") Double highDecimal,

            @DecimalMin(value = "0", inclusive = false) @DecimalMax(value = "1", inclusive = false)
            double open,

            @Within(SamplingLimit.TOP_P) double limited) {}

    @ParameterizedTest
    @CsvSource({
        "any,         a whole number",
        "low,         a whole number from 1",
        "high,        a whole number to 9",
        "both,        a whole number from 1 to 9",
        "lowDecimal,  a number from 0.5",
        "highDecimal, a number to 2",
        "open,        a number above 0 below 1",
        "limited,     a number above 0 and at most 1"
    })
    void tellsBothBoundsOfANumber(String name, String allowed) throws NoSuchFieldException {
        Field field = Bounded.class.getDeclaredField(name);

        assertThat(AllowedValues.describe(Bindable.of(field.getType()).withAnnotations(field.getAnnotations())))
                .contains(allowed);
    }
}
