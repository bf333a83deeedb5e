package dev.omlx.cli;

import dev.omlx.engine.MlxInferenceEngine;
import dev.omlx.engine.api.InferenceEngine;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;

/** Tells in one line where the server is and what it serves. */
final class ReadyReport {
    private static final Logger log = LoggerFactory.getLogger(ReadyReport.class);

    private ReadyReport() {}

    static void log(ApplicationContext context) {
        log.info("{}", describe(context, ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0));
    }

    /** @param seconds since the process began */
    static String describe(ApplicationContext context, double seconds) {
        return String.format(
                Locale.ROOT, "ready at %s after %.1f s; %s", url(context), seconds, model(context) + device(context));
    }

    private static String url(ApplicationContext context) {
        Environment environment = context.getEnvironment();
        boolean secured = environment.getProperty("server.ssl.enabled", Boolean.class, false)
                || environment.containsProperty("server.ssl.bundle")
                || environment.containsProperty("server.ssl.key-store");
        String host = environment.getProperty("server.address", "localhost");
        int port = context instanceof WebServerApplicationContext web && web.getWebServer() != null
                ? web.getWebServer().getPort()
                : environment.getProperty("server.port", Integer.class, 0);
        return (secured ? "https" : "http") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private static String model(ApplicationContext context) {
        return Optional.ofNullable(
                        context.getBeanProvider(InferenceEngine.class).getIfAvailable())
                .flatMap(engine -> engine.models().stream().findFirst())
                .map(model -> "model " + model.id() + ", context of " + model.contextLength() + " tokens")
                .orElse("no model");
    }

    private static String device(ApplicationContext context) {
        return context.getBeanProvider(MlxInferenceEngine.class).stream()
                .map(engine -> ", on the " + engine.device())
                .findFirst()
                .orElse("");
    }
}
