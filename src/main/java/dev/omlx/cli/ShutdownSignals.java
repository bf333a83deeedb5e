package dev.omlx.cli;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/** What the server does when the system tells it to end: it drains and leaves; told again, it leaves at once. */
final class ShutdownSignals {
    /** A shell's code for a program that Ctrl-C ended. */
    private static final int INTERRUPTED = 130;

    private ShutdownSignals() {}

    static void install() {
        AtomicBoolean told = new AtomicBoolean();
        // to end by TERM is how a server is meant to end, so it is a success and not the JVM's 143
        Signals.register("TERM", () -> exit(told, Cli.OK));
        Signals.register("INT", () -> exit(told, INTERRUPTED));
    }

    private static void exit(AtomicBoolean told, int code) {
        if (told.compareAndSet(false, true)) {
            System.exit(code); // runs Spring's shutdown hook, which closes the context
        } else {
            Runtime.getRuntime().halt(code == Cli.OK ? Cli.FAILED : code);
        }
    }
}
