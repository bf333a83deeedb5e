package dev.omlx.api.http;

import java.net.InetAddress;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Keeps a server that asks nobody for a key from listening where strangers reach it, unless that is wanted. Looks before
 * anything is made, so that no model is loaded in vain.
 */
final class OpenAddressCheck implements BeanFactoryPostProcessor, Ordered {
    private static final String ADDRESS = "server.address";

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** @throws InvalidConfigurationPropertyValueException if the address is open and nobody said that it may be */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Binder settings = Binder.get(beans.getBean(Environment.class), handler(beans));
        InetAddress address = settings.bind(ADDRESS, InetAddress.class).orElse(null);
        boolean loopback = address != null && address.isLoopbackAddress();
        AuthProperties auth = settings.bindOrCreate(AuthProperties.PREFIX, AuthProperties.class);
        if (!loopback && auth.apiKeys().isEmpty() && !auth.allowUnauthenticated()) {
            throw new InvalidConfigurationPropertyValueException(
                    ADDRESS,
                    address == null ? "" : address.getHostAddress(),
                    "anyone could use the server " + (address == null ? "on every address" : "there")
                            + "; set " + AuthProperties.PREFIX + ".api-keys, or listen on 127.0.0.1, or set "
                            + AuthProperties.PREFIX + ".allow-unauthenticated=true");
        }
    }

    /** Reads the keys as they are read for the beans: what is refused there is refused here, where it is early. */
    private static BindHandler handler(ConfigurableListableBeanFactory beans) {
        BindHandler handler = new IgnoreTopLevelConverterNotFoundBindHandler();
        for (ConfigurationPropertiesBindHandlerAdvisor advisor :
                beans.getBeanProvider(ConfigurationPropertiesBindHandlerAdvisor.class, false)) {
            handler = advisor.apply(handler);
        }
        return handler;
    }
}
