package dev.omlx.api;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

/** Serves the HTTP faces. Needs an {@link dev.omlx.engine.api.InferenceEngine} bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServerProperties.class)
public final class ApiConfiguration {}
