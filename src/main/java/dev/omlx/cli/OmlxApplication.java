package dev.omlx.cli;

import dev.omlx.api.ApiConfiguration;
import dev.omlx.engine.config.EngineConfiguration;
import dev.omlx.observe.ObserveConfiguration;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;

/** The executable's main class, and the Spring configuration of the server. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({EngineConfiguration.class, ApiConfiguration.class, ObserveConfiguration.class})
@PropertySource("classpath:dev/omlx/cli/server.properties")
public final class OmlxApplication {
    private OmlxApplication() {}

    @Bean
    static ListenCheck listenCheck() {
        return new ListenCheck();
    }

    /** Runs the command that {@code args} name and ends the process with its exit code. */
    public static void main(String[] args) {
        ClassArchive.use(args);
        Streams streams = Streams.standard();
        List<String> command = Cli.withDefaultCommand(args);
        if (!command.getFirst().equals(ServeCommand.NAME)) {
            keepOutputClean(streams);
        }
        System.exit(Cli.execute(streams, command));
    }

    /** What a library prints or logs must not get between the lines of a command's output. */
    private static void keepOutputClean(Streams streams) {
        System.setOut(streams.err());
        LoggingSystem.get(OmlxApplication.class.getClassLoader())
                .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
    }
}
