package dev.omlx.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command's arguments, and what may have been meant. */
final class Misuse {
    private Misuse() {}

    static String describe(ParameterException problem) {
        if (problem instanceof UnmatchedArgumentException unmatched) {
            return describe(unmatched.getUnmatched().getFirst(), problem.getCommandLine());
        }
        return Failures.oneLine(problem.getMessage());
    }

    private static String describe(String argument, CommandLine command) {
        boolean option = argument.startsWith("-");
        String name = argument.replaceFirst("=.*", "");
        String what = "unknown " + (option ? "option" : command.getSubcommands().isEmpty() ? "argument" : "command");
        return what + " '" + name + "'" + Suggestions.didYouMean(name, option ? options(command) : commands(command));
    }

    private static List<String> options(CommandLine command) {
        List<String> names =
                new ArrayList<>(command.getCommandSpec().optionsMap().keySet());
        names.removeIf(name -> !name.startsWith("--"));
        return names;
    }

    private static List<String> commands(CommandLine command) {
        return List.copyOf(command.getSubcommands().keySet());
    }
}
