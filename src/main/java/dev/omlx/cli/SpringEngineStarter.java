package dev.omlx.cli;

import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.config.EngineConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the engine as the server does, without the server. */
final class SpringEngineStarter implements EngineStarter {
    /** Who ends a command does not wait for its answer; last, so that it goes before what else says so. */
    private static final String END_AT_ONCE = "--omlx.scheduler.drain-timeout=0s";

    @Override
    public RunningEngine start(List<String> settings, boolean debug) {
        List<String> all = new ArrayList<>(settings);
        all.add(END_AT_ONCE);
        return new Running(new SpringLauncher(EngineConfiguration.class, WebApplicationType.NONE, debug)
                .setting("logging.level.root", "warn")
                .start(all));
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
