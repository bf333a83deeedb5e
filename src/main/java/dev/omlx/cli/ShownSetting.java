package dev.omlx.cli;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.boot.origin.TextResourceOrigin;

/** How a key of the configuration, its value and its place are written in messages: a secret is left out of them. */
final class ShownSetting {
    private static final Pattern SECRET = Pattern.compile(
            "(^|\\.)auth([.\\[]|$)|api-?key|password|passphrase|secret|credential|private-?key|token\\b",
            Pattern.CASE_INSENSITIVE);

    private static final String HIDDEN = "(hidden)";
    private static final Pattern LAST_ELEMENT = Pattern.compile("(\\.[^.\\[\\]]*|\\[[^\\[\\]]*])$");

    private ShownSetting() {}

    static String of(ConfigurationProperty property) {
        return of(property.getName().toString(), property.getValue(), property.getOrigin());
    }

    /** The key as it was written, what it was set to, and where. */
    static String of(String key, @Nullable Object value, @Nullable Origin origin) {
        return written(key, isSecret(key) ? "" : " = '" + value + "'", origin);
    }

    /** The same without the value, which may be a secret where none belongs. */
    static String place(ConfigurationProperty property) {
        return written(property.getName().toString(), "", property.getOrigin());
    }

    private static String written(String key, String set, @Nullable Origin origin) {
        if (origin instanceof PropertySourceOrigin source && source.getOrigin() != null) {
            return written(key, set, source.getOrigin());
        }
        String name = isSecret(key) ? knownPart(key) : key;
        if (origin instanceof SystemEnvironmentOrigin variable) {
            return variable.getProperty() + set + " (environment)";
        }
        return origin instanceof TextResourceOrigin file ? name + set + " (" + file + ")" : name + set;
    }

    /** Whether a value there may be one that nobody but its owner shall see, be it that it stands there by mistake. */
    static boolean isSecret(String key) {
        return SECRET.matcher(key).find();
    }

    /** The text without the value of that key, if it may be a secret. */
    static String hide(@Nullable Object value, String key, String text) {
        return value == null || !isSecret(key) ? text : text.replace(value.toString(), HIDDEN);
    }

    /** As much of a key of ours as is known: where a list is written as a map, secrets are keys. */
    private static String knownPart(String key) {
        ConfigurationKeys known = ConfigurationKeys.ofClasspath();
        String name = key;
        while (!known.leadsToOurs(name)) {
            name = LAST_ELEMENT.matcher(name).replaceFirst("");
        }
        return name;
    }
}
