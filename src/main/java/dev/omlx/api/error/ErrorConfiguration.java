package dev.omlx.api.error;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Answers errors in the dialects that there are. */
@Configuration(proxyBeanMethods = false)
public final class ErrorConfiguration {
    @Bean
    Errors errors(ObjectProvider<ErrorDialect> dialects) {
        return new Errors(dialects.orderedStream().toList());
    }

    @Bean
    ErrorHandler errorHandler(Errors errors) {
        return new ErrorHandler(errors);
    }
}
