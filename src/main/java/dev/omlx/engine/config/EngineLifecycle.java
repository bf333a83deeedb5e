package dev.omlx.engine.config;

import dev.omlx.engine.MlxInferenceEngine;
import org.springframework.context.SmartLifecycle;

/** Loads the model before the web server opens its port, and closes the engine after it is closed. */
final class EngineLifecycle implements SmartLifecycle {
    /** Below the web server's, which is {@code DEFAULT_PHASE - 2048}. */
    private static final int PHASE = DEFAULT_PHASE - 4096;

    private final MlxInferenceEngine engine;
    private volatile boolean running;

    EngineLifecycle(MlxInferenceEngine engine) {
        this.engine = engine;
    }

    @Override
    public void start() {
        engine.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        engine.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
