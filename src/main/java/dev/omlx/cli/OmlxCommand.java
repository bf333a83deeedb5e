package dev.omlx.cli;

import dev.omlx.api.ServerVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** The command above all commands. */
@Command(
        name = OmlxCommand.NAME,
        description = "Runs language models on this machine through MLX. No command means " + ServeCommand.NAME + ".",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = OmlxCommand.Version.class)
final class OmlxCommand {
    static final String NAME = "omlx";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text.")
    @SuppressWarnings("UnusedVariable") // picocli sets it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("UnusedVariable") // picocli sets it
    private boolean version;

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {NAME + " " + ServerVersion.get()};
        }
    }
}
