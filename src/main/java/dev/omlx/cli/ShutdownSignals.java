package dev.omlx.cli;

import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * What the server does when the system tells it to end: it lets answers come to their end and leaves. Told again, it
 * waits for none of them any more; told a third time, it leaves as it stands.
 */
final class ShutdownSignals {
    /** A shell's code for a program that Ctrl-C ended. */
    private static final int INTERRUPTED = 130;

    private final AtomicInteger told = new AtomicInteger();
    private volatile @Nullable Runnable hurry;

    void install() {
        // to end by TERM is how a server is meant to end, so it is a success and not the JVM's 143
        Signals.register("TERM", () -> exit(Cli.OK));
        Signals.register("INT", () -> exit(INTERRUPTED));
    }

    /** @param action ends what the server waits for; until there is one, the second signal acts as the third */
    void onSecond(Runnable action) {
        hurry = action;
    }

    private void exit(int code) {
        int times = told.incrementAndGet();
        Runnable action = hurry;
        if (times == 1) {
            System.exit(code); // runs Spring's shutdown hook, which closes the context
        } else if (times == 2 && action != null) {
            action.run();
        } else {
            Runtime.getRuntime().halt(code == Cli.OK ? Cli.FAILED : code);
        }
    }
}
