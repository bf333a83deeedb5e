package dev.omlx.cli;

import dev.omlx.engine.config.StrictBinding;
import dev.omlx.engine.config.Within;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
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
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.convert.TypeDescriptor;
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
            return Optional.of("a duration such as 500ms, 30s or 5m, up to " + StrictBinding.LONGEST_DAYS + "d");
        }
        if (type == DataSize.class) {
            return Optional.of("a size such as 64KB or 32MB");
        }
        return type == InetAddress.class
                ? Optional.of("an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0")
                : Optional.empty();
    }

    /** Whether that can be read from a text; what cannot has keys below it. */
    static boolean takesText(TypeDescriptor type) {
        return ApplicationConversionService.getSharedInstance().canConvert(TypeDescriptor.valueOf(String.class), type);
    }

    private static String oneOf(Class<?> type) {
        String names = Arrays.stream(type.getEnumConstants())
                .map(constant ->
                        ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(", "));
        return names.replaceFirst(", (?!.*, )", " or ");
    }

    /** What its constraints leave of a number's type; nothing is said of a number that has none. */
    private static String range(Bindable<?> target) {
        Within within = target.getAnnotation(Within.class);
        if (within != null) {
            return " " + within.value().range();
        }
        return low(target.getAnnotation(Min.class), target.getAnnotation(DecimalMin.class))
                + high(target.getAnnotation(Max.class), target.getAnnotation(DecimalMax.class));
    }

    private static String low(@Nullable Min whole, @Nullable DecimalMin decimal) {
        if (whole != null) {
            return " from " + whole.value();
        }
        return decimal == null ? "" : (decimal.inclusive() ? " from " : " above ") + decimal.value();
    }

    private static String high(@Nullable Max whole, @Nullable DecimalMax decimal) {
        if (whole != null) {
            return " to " + whole.value();
        }
        return decimal == null ? "" : (decimal.inclusive() ? " to " : " below ") + decimal.value();
    }
}
