package dev.omlx.cli;

import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Options of the form {@code --some.key=value}, any key of the configuration, of commands that start Spring. */
final class ConfigurationOptions {
    private static final Pattern KEY = Pattern.compile("--([a-z][\\w-]*(?:\\.[\\w\\[\\]-]+)+)(=.*)?", Pattern.DOTALL);

    private ConfigurationOptions() {}

    /**
     * Lets such options pass.
     *
     * @param unmatched all that the command does not know
     * @throws ParameterException if one has another form, or a key of ours that does not exist
     */
    static List<String> check(CommandLine command, List<String> unmatched) {
        unmatched.forEach(argument -> check(command, argument));
        return List.copyOf(unmatched);
    }

    private static void check(CommandLine command, String argument) {
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
    }
}
