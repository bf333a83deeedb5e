package dev.omlx.cli;

import dev.omlx.engine.MlxInferenceEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Serves models over HTTP until the process is told to end. */
@Command(name = ServeCommand.NAME, description = "Serve models over HTTP.")
final class ServeCommand implements Callable<Integer> {
    static final String NAME = "serve";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Option(names = "--model", paramLabel = "MODEL", description = ModelNames.DESCRIPTION)
    private @Nullable String model;

    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on.")
    private @Nullable String host;

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on; 0 takes a free one.")
    private @Nullable Integer port;

    @Unmatched
    private List<String> unmatched = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        List<String> arguments = springArguments();
        CountDownLatch closed = new CountDownLatch(1);
        ShutdownSignals signals = new ShutdownSignals();
        signals.install();
        var context = new SpringLauncher(OmlxApplication.class, WebApplicationType.REACTIVE, common.debug())
                .banner()
                .listener((ApplicationListener<ContextClosedEvent>) event -> closed.countDown())
                .start(arguments);
        MlxInferenceEngine engine = context.getBean(MlxInferenceEngine.class);
        signals.onSecond(() -> engine.drain(Duration.ZERO).join());
        ReadyReport.log(context);
        closed.await();
        return Cli.OK;
    }

    /** The same settings by Spring's own names. */
    List<String> springArguments() {
        return new ConfigurationOptions(command(), unmatched)
                .with("--model", ModelNames.DEFAULT_MODEL_KEY, model)
                .with("--host", "server.address", host)
                .with("--port", "server.port", port)
                .arguments();
    }

    private CommandLine command() {
        return Objects.requireNonNull(spec).commandLine();
    }
}
