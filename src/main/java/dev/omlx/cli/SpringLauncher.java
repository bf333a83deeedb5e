package dev.omlx.cli;

import dev.omlx.api.ServerVersion;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** Starts Spring for a command, so that a failure is told once and in one line. */
final class SpringLauncher {
    /** They tell a failed start in many lines; the command tells it in one. */
    private static final List<String> FAILURE_LOGGERS = List.of(
            "org.springframework.boot.SpringApplication",
            "org.springframework.boot.diagnostics",
            "org.springframework.boot.autoconfigure.logging",
            "org.springframework.boot.context",
            "org.springframework.boot.web.server.reactive.context",
            "org.springframework.context");

    private final Application application;
    private final Map<String, Object> defaults = new HashMap<>();
    private boolean configured;

    SpringLauncher(Class<?> configuration, WebApplicationType type, boolean debug) {
        application = new Application(configuration, type);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        setting("logging.level.ai.djl", "warn"); // it tells how it loads its library
        // bytes that are no HTTP get their 400, and anybody can send some
        setting("logging.level.reactor.netty.http.server.HttpServerOperations", "error");
        if (debug) {
            setting("logging.level.dev.omlx", "debug");
        } else {
            FAILURE_LOGGERS.forEach(this::silence);
            // once more, for the logging may have been set up by then, but not by all of its configuration
            listener((ApplicationListener<ApplicationFailedEvent>)
                    event -> FAILURE_LOGGERS.forEach(SpringLauncher::turnOff));
        }
    }

    /** Remembers what it was given to start with. */
    private static final class Application extends SpringApplication {
        private final WebApplicationType type;
        private @Nullable Environment environment;

        Application(Class<?> configuration, WebApplicationType type) {
            super(configuration);
            this.type = type;
            setWebApplicationType(type);
        }

        @Override
        protected void configureEnvironment(ConfigurableEnvironment prepared, String[] args) {
            super.configureEnvironment(prepared, args);
            environment = prepared;
        }

        /** What a command is, no key may change. */
        @Override
        protected void bindToSpringApplication(ConfigurableEnvironment prepared) {
            super.bindToSpringApplication(prepared);
            if (type == WebApplicationType.REACTIVE && getWebApplicationType() != type) {
                throw StartupFailures.badConfiguration(
                        "spring.main.web-application-type = '" + name(getWebApplicationType()) + "' must be "
                                + name(type),
                        null);
            }
            setWebApplicationType(type);
        }

        private static String name(@Nullable WebApplicationType type) {
            return String.valueOf(type).toLowerCase(Locale.ROOT);
        }
    }

    SpringLauncher banner() {
        application.setBanner(SpringLauncher::printBanner);
        application.setBannerMode(Banner.Mode.CONSOLE);
        return this;
    }

    SpringLauncher listener(ApplicationListener<?> listener) {
        application.addListeners(listener);
        return this;
    }

    private void silence(String logger) {
        // now, for a failure while the configuration is read, and when the logging is set up by it
        turnOff(logger);
        setting("logging.level." + logger, "off");
    }

    private static void turnOff(String logger) {
        LoggingSystem.get(SpringLauncher.class.getClassLoader()).setLogLevel(logger, LogLevel.OFF);
    }

    /** Sets what a key is where nothing else sets it. */
    SpringLauncher setting(String key, String value) {
        defaults.put(key, value);
        return this;
    }

    /**
     * @param arguments of the form {@code --key=value}
     * @throws StartupException if the application does not start
     */
    ConfigurableApplicationContext start(List<String> arguments) {
        application.setDefaultProperties(defaults);
        try (LoggingSetup setup = new LoggingSetup()) {
            listener((ApplicationListener<ApplicationEnvironmentPreparedEvent>) event -> {
                configured = true;
                setup.close();
                LoggingSetup.check(event.getEnvironment());
            });
            return application.run(arguments.toArray(String[]::new));
        } catch (RuntimeException | LinkageError failure) {
            throw explain(failure);
        }
    }

    private StartupException explain(Throwable failure) {
        Environment environment = application.environment;
        if (environment == null) {
            return StartupFailures.explainReading(failure);
        }
        return configured
                ? StartupFailures.explain(failure, environment)
                : StartupFailures.explainReading(failure, environment);
    }

    private static void printBanner(Environment environment, @Nullable Class<?> source, PrintStream out) {
        out.printf(
                "oMLX for Java %s (Spring Boot %s, Java %s)%n",
                ServerVersion.get(),
                SpringBootVersion.getVersion(),
                Runtime.version().feature());
    }
}
