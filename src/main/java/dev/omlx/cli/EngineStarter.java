package dev.omlx.cli;

import dev.omlx.engine.api.InferenceEngine;
import java.util.List;

/** Starts an engine in this process. */
interface EngineStarter {
    /**
     * Waits until the default model can answer.
     *
     * @param settings of the form {@code --key=value}
     * @throws StartupException if that does not come about
     */
    RunningEngine start(List<String> settings, boolean debug);

    /** An engine and all it needs. The caller closes it. */
    interface RunningEngine extends AutoCloseable {
        InferenceEngine engine();

        @Override
        void close();
    }
}
