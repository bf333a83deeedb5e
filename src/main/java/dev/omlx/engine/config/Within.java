package dev.omlx.engine.config;

import dev.omlx.engine.api.SamplingLimit;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;

/** Keeps a number of the configuration within its limit, which requests and commands keep to as well. */
@Constraint(validatedBy = Within.Validator.class)
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
public @interface Within {
    SamplingLimit value();

    String message() default "";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Says what the number may be. */
    final class Validator implements ConstraintValidator<Within, Number> {
        private SamplingLimit limit = SamplingLimit.TEMPERATURE;

        @Override
        public void initialize(Within annotation) {
            limit = annotation.value();
        }

        @Override
        public boolean isValid(@Nullable Number value, ConstraintValidatorContext context) {
            context.disableDefaultConstraintViolation();
            context.buildConstraintViolationWithTemplate("must be " + limit.range())
                    .addConstraintViolation();
            return value == null || limit.range().contains(value.doubleValue());
        }
    }
}
