package dev.omlx.engine.config;

import dev.omlx.engine.EngineSettings;
import dev.omlx.engine.MlxInferenceEngine;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The engine and when it loads, drains and closes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
    OmlxProperties.class,
    ModelProperties.class,
    SchedulerProperties.class,
    MemoryProperties.class,
    SamplingProperties.class
})
public final class EngineConfiguration {
    @Bean
    static StrictBinding strictBinding(Environment environment) {
        return new StrictBinding(environment);
    }

    @Bean
    OmlxHome omlxHome(OmlxProperties properties) {
        return OmlxHome.of(properties.home());
    }

    @Bean
    EngineSettings engineSettings(
            OmlxHome home,
            OmlxProperties properties,
            ModelProperties models,
            SchedulerProperties scheduler,
            MemoryProperties memory,
            SamplingProperties sampling) {
        return new EngineSettings(
                home.models().find(models.defaultModel()),
                home.nativeLibrary(properties.nativeLibrary()),
                models::precision,
                models.contextLength(),
                memory.ceiling(MachineMemory.read()),
                scheduler.toConfig(),
                sampling.toDefaults(),
                models::output);
    }

    @Bean(destroyMethod = "close")
    MlxInferenceEngine mlxInferenceEngine(EngineSettings settings) {
        MlxInferenceEngine engine = new MlxInferenceEngine(settings);
        // the rest of the context starts meanwhile
        engine.preload();
        return engine;
    }

    @Bean
    EngineLifecycle engineLifecycle(MlxInferenceEngine engine) {
        return new EngineLifecycle(engine);
    }

    @Bean
    EngineDrain engineDrain(MlxInferenceEngine engine, SchedulerProperties properties) {
        return new EngineDrain(engine, properties.drainTimeout());
    }
}
