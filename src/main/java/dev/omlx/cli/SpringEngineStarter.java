package dev.omlx.cli;

import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.config.EngineConfiguration;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the engine as the server does, without the server. */
final class SpringEngineStarter implements EngineStarter {
    @Override
    public RunningEngine start(List<String> settings, boolean debug) {
        return new Running(new SpringLauncher(EngineConfiguration.class, WebApplicationType.NONE, debug)
                .setting("logging.level.root", "warn")
                .start(settings));
    }

    private record Running(ConfigurableApplicationContext context) implements RunningEngine {
        @Override
        public InferenceEngine engine() {
            return context.getBean(InferenceEngine.class);
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
