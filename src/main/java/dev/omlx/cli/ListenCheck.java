package dev.omlx.cli;

import dev.omlx.engine.config.StrictBinding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Finds out whether the server can listen where it is to, before a model is loaded in vain. */
final class ListenCheck implements BeanFactoryPostProcessor {
    private static final int LAST_PORT = 65_535;

    /** @throws StartupException if it cannot */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Environment environment = beans.getBean(Environment.class);
        Binder settings = Binder.get(environment, new StrictBinding(environment).apply(BindHandler.DEFAULT));
        InetAddress address = settings.bind("server.address", InetAddress.class).orElse(null);
        int port = settings.bind("server.port", Integer.class).orElse(0);
        if (port < 0 || port > LAST_PORT) {
            throw new StartupException(
                    "bad configuration: server.port (--port) = '" + port + "' must be a whole number from 0 to "
                            + LAST_PORT,
                    Cli.MISUSED,
                    null);
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(address, port));
        } catch (IOException failure) {
            throw new StartupException(StartupFailures.cannotListen(address, port, failure), Cli.FAILED, failure);
        }
    }
}
