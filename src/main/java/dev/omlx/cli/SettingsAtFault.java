package dev.omlx.cli;

import ch.qos.logback.core.util.FileSize;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** Names the keys that a failure comes of, for the parts of Spring that say what failed, but not what was set wrongly. */
enum SettingsAtFault {
    LOGGING(".boot.logging.", "logging"),
    TLS("Ssl", "server.ssl", "management.server.ssl", "spring.ssl"),
    MANAGEMENT_SERVER(".actuate.autoconfigure.web.server.", "management.server"),
    SOURCES(".BeanDefinitionLoader", "spring.main.sources");

    /** Keys of the logging that name themselves when they are wrong, and that we set too. */
    private static final List<ConfigurationPropertyName> ELSEWHERE =
            names("logging.level", "logging.group", "logging.console.enabled", "logging.register-shutdown-hook");

    private static final String CLASS_NAME = "\\b(\\w+\\.)+[A-Z]\\w*(Exception|Error): ";

    private final String code;
    private final List<ConfigurationPropertyName> groups;

    /** @param code part of the name of a class that is on the stack of its failures, and of no others */
    SettingsAtFault(String code, String... groups) {
        this.code = code;
        this.groups = names(groups);
    }

    private static List<ConfigurationPropertyName> names(String... names) {
        return Stream.of(names).map(ConfigurationPropertyName::of).toList();
    }

    /** What is wrong, if the failure comes of a part that reads keys by itself, and any of its keys is set. */
    static Optional<String> describe(Throwable failure, Environment environment) {
        return Stream.of(values())
                .filter(part -> isOnStack(part.code, failure))
                .findFirst()
                .flatMap(part -> part.blame(failure, environment));
    }

    private static boolean isOnStack(String code, Throwable failure) {
        return Failures.chain(failure)
                .flatMap(cause -> Arrays.stream(cause.getStackTrace()))
                .anyMatch(frame -> frame.getClassName().contains(code));
    }

    /** The keys of this part that are set, or those of them whose values the failure mentions, and what it says. */
    Optional<String> blame(Throwable failure, Environment environment) {
        Map<ConfigurationPropertyName, ConfigurationProperty> set = new LinkedHashMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource keys) {
                keys.stream().filter(this::covers).forEach(name -> {
                    ConfigurationProperty property = source.getConfigurationProperty(name);
                    if (property != null) {
                        set.putIfAbsent(name, property);
                    }
                });
            }
        }
        return set.isEmpty() ? Optional.empty() : Optional.of(describe(set.values(), failure));
    }

    private boolean covers(ConfigurationPropertyName name) {
        return groups.stream().anyMatch(group -> group.equals(name) || group.isAncestorOf(name))
                && ELSEWHERE.stream().noneMatch(other -> other.equals(name) || other.isAncestorOf(name));
    }

    private static String describe(Collection<ConfigurationProperty> set, Throwable failure) {
        String everything = Failures.chain(failure).map(Throwable::getMessage).collect(Collectors.joining(" "));
        List<ConfigurationProperty> mentioned = set.stream()
                .filter(property -> everything.contains(property.getValue().toString()))
                .toList();
        String keys = (mentioned.isEmpty() ? set : mentioned)
                .stream().map(ShownSetting::of).collect(Collectors.joining(", "));
        String problem = problem(failure);
        for (ConfigurationProperty property : set) {
            problem = ShownSetting.hide(property.getValue(), property.getName().toString(), problem);
        }
        return keys + problem;
    }

    private static String problem(Throwable failure) {
        return type(failure)
                .flatMap(AllowedValues::describe)
                .map(values -> " must be " + values)
                .or(() -> keyStore(failure))
                .orElseGet(() -> Failures.chain(failure)
                        .filter(cause -> !Failures.oneLine(cause.getMessage()).isEmpty())
                        .reduce((outer, inner) -> inner)
                        .map(SettingsAtFault::reason)
                        .orElse(" cannot be used"));
    }

    /** What is wrong with a key store: Java tells no more than which of its bytes it did not expect. */
    private static Optional<String> keyStore(Throwable failure) {
        if (Failures.find(UnrecoverableKeyException.class, failure).isPresent()) {
            return Optional.of(": the password does not open it");
        }
        return Failures.find(IOException.class, failure)
                .filter(unread -> isOnStack(KeyStore.class.getName(), unread))
                .map(unread -> " is no key store that can be read");
    }

    /** What a value could not be made to. */
    private static Optional<Bindable<?>> type(Throwable failure) {
        // Logback reads sizes by itself
        if (isOnStack(FileSize.class.getName(), failure)) {
            return Optional.of(Bindable.of(DataSize.class));
        }
        return Failures.find(ConversionFailedException.class, failure)
                .map(conversion -> Bindable.of(conversion.getTargetType().getResolvableType()));
    }

    private static String reason(Throwable cause) {
        String text = Failures.oneLine(cause.getMessage()).replaceAll(CLASS_NAME, "");
        return switch (cause) {
            case NumberFormatException number -> " must be a whole number";
            case UnsupportedCharsetException name -> " must be a character set such as UTF-8";
            case IllegalCharsetNameException name -> " must be a character set such as UTF-8";
            // Spring says no more than the path, the JDK adds the reason in brackets
            case FileNotFoundException file -> text.endsWith(")") ? ": " + text : ": no such file or folder";
            default -> ": " + text;
        };
    }
}
