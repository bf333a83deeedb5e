package dev.omlx.cli;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Says what a key of the configuration may be set to. */
final class AllowedValues {
    private static final List<Class<?>> WHOLE = List.of(Byte.class, Short.class, Integer.class, Long.class);

    private AllowedValues() {}

    /** The rest of a sentence that starts with "must be"; empty for types that explain themselves when they fail. */
    static Optional<String> describe(Bindable<?> target) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(target.getType().toClass());
        if (type.isEnum()) {
            return Optional.of(oneOf(type));
        }
        if (type == Boolean.class) {
            return Optional.of("true or false");
        }
        if (WHOLE.contains(type)) {
            return Optional.of("a whole number" + range(target));
        }
        if (Number.class.isAssignableFrom(type)) {
            return Optional.of("a number" + range(target));
        }
        if (type == Duration.class) {
            return Optional.of("a duration such as 500ms, 30s or 5m");
        }
        if (type == DataSize.class) {
            return Optional.of("a size such as 64KB or 32MB");
        }
        return type == InetAddress.class
                ? Optional.of("an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0")
                : Optional.empty();
    }

    private static String oneOf(Class<?> type) {
        String names = Arrays.stream(type.getEnumConstants())
                .map(constant ->
                        ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(", "));
        return names.replaceFirst(", (?!.*, )", " or ");
    }

    private static String range(Bindable<?> target) {
        Min min = target.getAnnotation(Min.class);
        DecimalMin decimalMin = target.getAnnotation(DecimalMin.class);
        DecimalMax max = target.getAnnotation(DecimalMax.class);
        boolean above = decimalMin != null && !decimalMin.inclusive();
        String low = min != null ? Long.toString(min.value()) : decimalMin != null ? decimalMin.value() : null;
        return bound(above ? "above" : "from", low)
                + bound(above ? "and up to" : "to", max == null ? null : max.value());
    }

    private static String bound(String word, @Nullable String value) {
        return value == null ? "" : " " + word + " " + value;
    }
}
