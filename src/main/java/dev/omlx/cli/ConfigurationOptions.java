package dev.omlx.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The keys of the configuration that a command line sets, each once: by options of the form {@code --some.key=value},
 * and by short forms of some of them. For commands that start Spring.
 */
final class ConfigurationOptions {
    private static final Pattern KEY = Pattern.compile("--([a-z][\\w-]*(?:\\.[\\w\\[\\]-]+)+)(=.*)?", Pattern.DOTALL);

    private final CommandLine command;

    /** From a key's canonical form to the option that set it. */
    private final Map<String, String> given = new HashMap<>();

    private final List<String> arguments = new ArrayList<>();

    /**
     * Lets keys of the configuration pass.
     *
     * @param unmatched all that the command does not know
     * @throws ParameterException if one has another form, or is a key of ours that does not exist, or comes twice
     */
    ConfigurationOptions(CommandLine command, List<String> unmatched) {
        this.command = command;
        unmatched.forEach(this::add);
    }

    /**
     * Adds a key that has a short form.
     *
     * @param value what that was given; null if it was not
     * @throws ParameterException if the key was given too
     */
    ConfigurationOptions with(String shortForm, String key, @Nullable Object value) {
        if (value != null) {
            add(shortForm, key, value.toString());
        }
        return this;
    }

    /** All of them as Spring reads them. */
    List<String> arguments() {
        return List.copyOf(arguments);
    }

    private void add(String argument) {
        var option = KEY.matcher(argument);
        if (!option.matches()) {
            throw new UnmatchedArgumentException(command, List.of(argument));
        }
        String key = option.group(1);
        if (option.group(2) == null) {
            throw new ParameterException(command, "'--" + key + "' has no value, write --" + key + "=VALUE");
        }
        ConfigurationKeys keys = ConfigurationKeys.ofClasspath();
        if (!keys.allow(key)) {
            throw new ParameterException(command, "unknown key '" + key + "'" + keys.didYouMean(key));
        }
        add("--" + key, key, option.group(2).substring(1));
    }

    private void add(String option, String key, String value) {
        String before = given.putIfAbsent(ConfigurationKeys.canonical(key), option);
        if (before != null) {
            throw new ParameterException(
                    command,
                    before.equals(option)
                            ? "'" + option + "' is given twice"
                            : "'" + before + "' and '" + option + "' set the same, give one of them");
        }
        arguments.add("--" + key + "=" + value);
    }
}
