package dev.omlx.cli;

import dev.omlx.engine.config.CommandSettings;
import dev.omlx.text.NativeTokenizerLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Puts the commands together, and turns every failure into one line on standard error and an exit code. */
final class Cli {
    /** The command did what was asked. */
    static final int OK = ExitCode.OK;
    /** It could not. */
    static final int FAILED = ExitCode.SOFTWARE;
    /** It was asked wrongly. */
    static final int MISUSED = ExitCode.USAGE;

    private static final Set<String> ABOUT = Set.of("-h", "--help", "-V", "--version");

    private final Streams streams;

    private Cli(Streams streams) {
        this.streams = streams;
    }

    /** The same arguments with the command that is meant where none is named: {@code serve}. */
    static List<String> withDefaultCommand(String... args) {
        List<String> command = new ArrayList<>(List.of(args));
        boolean named = args.length > 0 && (!args[0].startsWith("-") || ABOUT.contains(args[0]));
        if (!named) {
            command.addFirst(ServeCommand.NAME);
        }
        return command;
    }

    /**
     * Runs a command to its end.
     *
     * @param command its name, then its arguments
     * @return the process's exit code
     */
    static int execute(Streams streams, List<String> command) {
        CommandLine root = new CommandLine(new OmlxCommand());
        // for most commands the configuration would be read in vain
        Supplier<CommandSettings> settings = SingletonSupplier.of(Cli::readSettings);
        Models models = name -> {
            NativeTokenizerLibrary.unpackTo(settings.get().nativeLibrary().unpackTo());
            return settings.get().home().models().find(name).path();
        };
        root.addSubcommand(new ServeCommand());
        root.addSubcommand(new RunCommand(streams, new SpringEngineStarter(), Terminals.ofSystem()));
        root.addSubcommand(new ListCommand(streams, () -> settings.get().home()));
        root.addSubcommand(new DoctorCommand(
                streams,
                () -> new HealthChecks(settings.get().home(), settings.get().nativeLibrary()).all()));
        root.addSubcommand(new TokenizeCommand(streams, models));
        root.addSubcommand(new RenderCommand(streams, models));
        root.addSubcommand(new LogitsCommand(streams, models, model -> MlxLogits.open(model, settings.get())));
        int code = prepare(root, streams).execute(command.toArray(String[]::new));
        return code == OK && streams.out().checkError() ? new Cli(streams).failed(new OutputLostException()) : code;
    }

    private static CommandSettings readSettings() {
        try {
            return CommandSettings.read();
        } catch (RuntimeException failure) {
            throw StartupFailures.explainReading(failure);
        }
    }

    /** Lets a command, and those below it, write to the streams and fail as all do. */
    static CommandLine prepare(CommandLine command, Streams streams) {
        Cli cli = new Cli(streams);
        return command.setOut(streams.outWriter())
                .setErr(streams.errWriter())
                .setParameterExceptionHandler((problem, args) -> cli.misused(problem))
                .setExecutionExceptionHandler((failure, failed, parsed) -> cli.failed(failure, parsed));
    }

    private int misused(ParameterException problem) {
        String name = problem.getCommandLine().getCommandSpec().qualifiedName();
        streams.err().println(name + ": " + Misuse.describe(problem) + " (see " + name + " --help)");
        return MISUSED;
    }

    private int failed(Exception failure, ParseResult parsed) {
        if (CommonOptions.debug(parsed)) {
            streams.err().print(StartupFailures.trace(failure));
        }
        return failed(failure);
    }

    private int failed(Exception failure) {
        if (failure instanceof BadInputException) {
            return ended(Failures.describe(failure), MISUSED);
        }
        StartupException explained = StartupFailures.explain(failure);
        return ended(Failures.describe(explained), explained.exitCode());
    }

    private int ended(String why, int exitCode) {
        streams.err().println(OmlxCommand.NAME + ": " + why);
        return exitCode;
    }
}
