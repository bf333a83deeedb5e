package dev.omlx.engine.config;

import dev.omlx.engine.MlxInferenceEngine;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Lets running answers end when the server stops: the first bean to stop, so that meanwhile the web server still answers
 * and says that nothing new is taken.
 */
final class EngineDrain implements SmartLifecycle {
    private final MlxInferenceEngine engine;
    private final Duration patience;
    private volatile boolean running;

    EngineDrain(MlxInferenceEngine engine, Duration patience) {
        this.engine = engine;
        this.patience = patience;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        engine.drain(patience).join();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
