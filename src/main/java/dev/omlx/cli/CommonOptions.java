package dev.omlx.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options that every command has. */
final class CommonOptions {
    private static final String DEBUG = "--debug";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text.")
    @SuppressWarnings("UnusedVariable") // picocli sets it
    private boolean help;

    @Option(names = DEBUG, description = "Show the stack trace of a failure, and log more.")
    private boolean debug;

    boolean debug() {
        return debug;
    }

    /** Whether the command that failed was told to show why in full. */
    static boolean debug(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.hasMatchedOption(DEBUG);
    }
}
