package dev.omlx.engine.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.PropertyResolver;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.util.ClassUtils;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Refuses values of our keys that Spring would drop, bend, or take as they are written: none, lists and maps in the place
 * of a value and the other way round, numbers that would be rounded, placeholders that stand for nothing, and durations
 * that no clock can count.
 */
public final class StrictBinding implements ConfigurationPropertiesBindHandlerAdvisor {
    /** The longest that any of our durations may be, in days. */
    public static final int LONGEST_DAYS = 365;

    private static final Duration LONGEST = Duration.ofDays(LONGEST_DAYS);
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("omlx");

    /** Keys of Spring's that the documentation holds as well, and their group. */
    private static final List<ConfigurationPropertyName> DOCUMENTED = Stream.of(
                    "server", "server.address", "server.port")
            .map(ConfigurationPropertyName::of)
            .toList();

    private static final List<Class<?>> WHOLE = List.of(Byte.class, Short.class, Integer.class, Long.class);

    private final PropertyResolver placeholders;

    /** @param placeholders knows what placeholders stand for */
    public StrictBinding(PropertyResolver placeholders) {
        this.placeholders = placeholders;
    }

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public <T> @Nullable Bindable<T> onStart(
                    ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
                if (covers(name)) {
                    checkShape(name, target, context);
                    checkPlaceholders(name, context);
                }
                return super.onStart(name, target, context);
            }

            @Override
            public void onFinish(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                    throws Exception {
                ConfigurationProperty property = context.getConfigurationProperty();
                if (covers(name) && property != null && property.getName().equals(name)) {
                    checkValue(property, target, result);
                }
                super.onFinish(name, target, context, result);
            }
        };
    }

    private static boolean covers(ConfigurationPropertyName name) {
        return OURS.equals(name) || OURS.isAncestorOf(name) || DOCUMENTED.contains(name);
    }

    private static void checkShape(ConfigurationPropertyName name, Bindable<?> target, BindContext context) {
        Class<?> type = target.getType().toClass();
        int depth = name.getNumberOfElements();
        if (type.isAnnotationPresent(ConfigurationProperties.class)) {
            value(name, OURS.isAncestorOf(name) ? all(context) : written(context))
                    .filter(property -> !isBlank(property.getValue()))
                    .ifPresent(property -> {
                        throw SettingException.misplaced(property, "is a value, but " + name + " has keys below it");
                    });
            refuse(
                    below(name, context).filter(child -> child.isNumericIndex(depth)),
                    name + " has keys below it",
                    context);
        } else if (isList(type)) {
            refuse(
                    below(name, context)
                            .filter(child -> child.getNumberOfElements() > depth + 1 || !child.isNumericIndex(depth)),
                    name + " is a list of values",
                    context);
        } else {
            refuse(below(name, context), name + " takes one value, no list and no keys below it", context);
        }
    }

    private static void refuse(Stream<ConfigurationPropertyName> misplaced, String problem, BindContext context) {
        misplaced
                .flatMap(child -> value(child, written(context)).stream())
                .findFirst()
                .ifPresent(property -> {
                    throw SettingException.misplaced(property, "cannot stand there: " + problem);
                });
    }

    private void checkPlaceholders(ConfigurationPropertyName name, BindContext context) {
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                checkPlaceholders(property);
                return;
            }
        }
    }

    private void checkPlaceholders(ConfigurationProperty property) {
        if (property.getValue() instanceof CharSequence text) {
            try {
                placeholders.resolveRequiredPlaceholders(text.toString());
            } catch (PlaceholderResolutionException unresolved) {
                throw new SettingException(
                        property,
                        "holds a placeholder that stands for nothing: "
                                + String.valueOf(unresolved.getMessage()).replaceFirst(" in value .*", ""));
            }
        }
    }

    /** What is said of the value is what the key may be set to, wherever the type tells that. */
    private void checkValue(ConfigurationProperty property, Bindable<?> target, @Nullable Object result) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(target.getType().toClass());
        Object value = property.getValue();
        boolean empty = value instanceof CharSequence text && isBlank(resolved(text));
        if (empty && !(isList(type) && mayBeEmpty(property, target))) {
            throw new IllegalArgumentException("has no value; give it one, or leave the key out");
        }
        if (value instanceof Number number && (type.isEnum() || (WHOLE.contains(type) && isFraction(number)))) {
            throw new IllegalArgumentException("is a number of the wrong kind");
        }
        if (result instanceof Duration duration && duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("is longer than " + LONGEST_DAYS + "d");
        }
    }

    /** Where a list is empty by default, one that is set to nothing was meant to be set to something. */
    private static boolean mayBeEmpty(ConfigurationProperty property, Bindable<?> target) {
        DefaultValue byDefault = target.getAnnotation(DefaultValue.class);
        return (byDefault != null && byDefault.value().length > 0) || isEmptyList(property);
    }

    /** Whether a file holds {@code []} there: what Spring makes of that is what it makes of an empty text. */
    private static boolean isEmptyList(ConfigurationProperty property) {
        Origin origin =
                property.getOrigin() instanceof PropertySourceOrigin source ? source.getOrigin() : property.getOrigin();
        if (!(origin instanceof TextResourceOrigin file)) {
            return false;
        }
        Resource resource = file.getResource();
        TextResourceOrigin.Location place = file.getLocation();
        if (resource == null || place == null) {
            return false;
        }
        try {
            return resource.getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .skip(place.getLine())
                    .findFirst()
                    .filter(line -> line.startsWith("[", place.getColumn()))
                    .isPresent();
        } catch (IOException gone) {
            return false;
        }
    }

    private String resolved(CharSequence text) {
        return placeholders.resolvePlaceholders(text.toString());
    }

    private static boolean isFraction(Number number) {
        double value = number.doubleValue();
        return value != Math.rint(value);
    }

    private static boolean isBlank(Object value) {
        return value instanceof CharSequence text && text.toString().isBlank();
    }

    private static boolean isList(Class<?> type) {
        return Collection.class.isAssignableFrom(type);
    }

    private static Optional<ConfigurationProperty> value(
            ConfigurationPropertyName name, Stream<ConfigurationPropertySource> sources) {
        return sources.map(source -> source.getConfigurationProperty(name))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static Stream<ConfigurationPropertyName> below(ConfigurationPropertyName name, BindContext context) {
        return written(context)
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .map(IterableConfigurationPropertySource.class::cast)
                .flatMap(IterableConfigurationPropertySource::stream)
                .filter(name::isAncestorOf);
    }

    /** All sources but the environment: a variable of that form may be another program's. */
    private static Stream<ConfigurationPropertySource> written(BindContext context) {
        return all(context)
                .filter(source -> !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource));
    }

    private static Stream<ConfigurationPropertySource> all(BindContext context) {
        return StreamSupport.stream(context.getSources().spliterator(), false);
    }
}
