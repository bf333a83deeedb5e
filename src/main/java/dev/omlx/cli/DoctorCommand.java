package dev.omlx.cli;

import dev.omlx.cli.HealthCheck.Level;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells whether the server can run here. */
@Command(name = DoctorCommand.NAME, description = "Check what the server needs of this machine.")
final class DoctorCommand implements Callable<Integer> {
    static final String NAME = "doctor";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private final CommonOptions common = new CommonOptions();

    private final Streams streams;
    private final Supplier<List<HealthCheck>> examination;

    DoctorCommand(Streams streams, Supplier<List<HealthCheck>> examination) {
        this.streams = streams;
        this.examination = examination;
    }

    /** Fails if one check does. */
    @Override
    public Integer call() {
        List<HealthCheck> checks = examination.get();
        for (HealthCheck check : checks) {
            String level = check.level().name().toLowerCase(Locale.ROOT);
            streams.out().printf("%-4s  %-7s  %s%n", level, check.name(), check.text());
        }
        return checks.stream().anyMatch(check -> check.level() == Level.FAIL) ? Cli.FAILED : Cli.OK;
    }
}
