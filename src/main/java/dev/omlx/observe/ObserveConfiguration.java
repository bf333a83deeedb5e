package dev.omlx.observe;

import org.springframework.context.annotation.Configuration;

/** Shows operators how the engine is. Needs an {@link dev.omlx.engine.api.InferenceEngine} bean. */
@Configuration(proxyBeanMethods = false)
public final class ObserveConfiguration {}
