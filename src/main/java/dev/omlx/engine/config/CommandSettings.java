package dev.omlx.engine.config;

import dev.omlx.ffi.NativeSearch;
import dev.omlx.mlx.Device;
import dev.omlx.model.Precision;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.support.SpringApplicationJsonEnvironmentPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

/** The configuration, from the places where the server finds it, for commands that do without Spring's context. */
public final class CommandSettings {
    private final Binder binder;
    private final BindHandler strict;

    private CommandSettings(ConfigurableEnvironment environment) {
        binder = Binder.get(environment);
        strict = new StrictBinding(environment).apply(new IgnoreTopLevelConverterNotFoundBindHandler());
    }

    /**
     * Reads {@code application.yml} and its like, system properties and the environment.
     *
     * @throws ConfigurationFileException if a file cannot be read, and others of Spring's
     */
    public static CommandSettings read() {
        ConfigurableEnvironment environment = new StandardEnvironment();
        new SpringApplicationJsonEnvironmentPostProcessor()
                .postProcessEnvironment(environment, new SpringApplication());
        ConfigDataEnvironmentPostProcessor.applyTo(environment);
        return new CommandSettings(environment);
    }

    /**
     * Where models are.
     *
     * @throws BindException as all methods here, if a key cannot be read
     */
    public OmlxHome home() {
        return OmlxHome.of(places().home());
    }

    /** Where to look for MLX. */
    public NativeSearch nativeLibrary() {
        return home().nativeLibrary(places().nativeLibrary());
    }

    /** What MLX may hold, in bytes. */
    public long memoryCeiling() {
        return bind("omlx.memory", MemoryProperties.class).ceiling(MachineMemory.read());
    }

    /** What to compute in on that device. */
    public Precision precision(Device device) {
        return bind("omlx.models", ModelProperties.class).precision(device);
    }

    private OmlxProperties places() {
        return bind("omlx", OmlxProperties.class);
    }

    private <T> T bind(String prefix, Class<T> type) {
        return binder.bindOrCreate(prefix, Bindable.of(type), strict);
    }
}
