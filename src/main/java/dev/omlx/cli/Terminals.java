package dev.omlx.cli;

import org.jline.terminal.impl.ffm.FfmTerminalProvider;
import org.jline.terminal.spi.SystemStream;

/** Which of the standard streams a person sits at. */
interface Terminals {
    /** Both input and output. */
    boolean interactive();

    /** The error stream. */
    boolean showsErrors();

    /** Those of this process. */
    static Terminals ofSystem() {
        return new Terminals() {
            @Override
            public boolean interactive() {
                return isTerminal(SystemStream.Input) && isTerminal(SystemStream.Output);
            }

            @Override
            public boolean showsErrors() {
                return isTerminal(SystemStream.Error);
            }
        };
    }

    private static boolean isTerminal(SystemStream stream) {
        return new FfmTerminalProvider().isSystemStream(stream);
    }
}
