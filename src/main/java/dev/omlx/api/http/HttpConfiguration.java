package dev.omlx.api.http;

import dev.omlx.api.ServerProperties;
import dev.omlx.api.error.Errors;
import dev.omlx.security.ApiKeys;
import dev.omlx.security.KeyLimits;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Filters exchanges and bounds connections. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuthProperties.class)
public final class HttpConfiguration {
    @Bean
    RequestIdFilter requestIdFilter() {
        return new RequestIdFilter();
    }

    @Bean
    ProtocolFilter protocolFilter() {
        return new ProtocolFilter();
    }

    @Bean
    PathFilter pathFilter() {
        return new PathFilter();
    }

    @Bean
    CorsFilter corsFilter(ServerProperties properties) {
        return new CorsFilter(properties.corsOrigins());
    }

    /** @param address where the server listens; absent means everywhere */
    @Bean
    HostFilter hostFilter(
            ServerProperties properties, @Value("${server.address:#{null}}") @Nullable InetAddress address) {
        return new HostFilter(properties.allowedHosts(), address != null && address.isLoopbackAddress());
    }

    @Bean
    AuthFilter authFilter(AuthProperties properties) {
        return new AuthFilter(
                new ApiKeys(properties.apiKeys()),
                new KeyLimits(properties.requestsPerMinute(), properties.concurrentRequests()));
    }

    @Bean
    static OpenAddressCheck openAddressCheck() {
        return new OpenAddressCheck();
    }

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> connections(ServerProperties properties, Errors errors) {
        DroppedErrors.install();
        return factory -> factory.addServerCustomizers(new ConnectionLimits(properties), new MalformedRequests(errors));
    }

    @Bean
    RootController rootController() {
        return new RootController();
    }
}
