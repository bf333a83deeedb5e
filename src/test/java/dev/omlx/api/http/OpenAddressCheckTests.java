package dev.omlx.api.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.config.StrictBinding;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class OpenAddressCheckTests {
    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withUserConfiguration(Server.class);

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "localhost"})
    void loopbackIsOpenToItsOwnMachine(String address) {
        application
                .withPropertyValues("server.address=" + address)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void otherAddressesMustBeWanted() {
        application
                .withPropertyValues("server.address=0.0.0.0", "omlx.auth.allow-unauthenticated=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void keysCloseTheDoor() {
        application
                .withPropertyValues("server.address=0.0.0.0", "omlx.auth.api-keys=secret")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({"server.address=0.0.0.0, there", "server.address=, on every address"})
    void refusesOtherAddressesBeforeAnythingIsMade(String setting, String where) {
        Server.made = false;

        application
                .withPropertyValues(setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContainingAll(
                                "server.address", where, "omlx.auth.api-keys", "omlx.auth.allow-unauthenticated=true"));

        assertThat(Server.made).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OMLX_AUTH | sk-secret | is a value, but omlx.auth has keys below it",
                "OMLX_AUTH_APIKEYS | '' | has no value; give it one, or leave the key out",
                "OMLX_AUTH_API_KEYS | '' | has no value; give it one, or leave the key out"
            })
    void refusesVariablesThatWouldLeaveTheServerWithoutKeys(String variable, String value, String problem) {
        application
                .withUserConfiguration(Strict.class)
                .withInitializer(context -> setOnly(variable, value, context.getEnvironment()))
                .withPropertyValues("server.address=127.0.0.1")
                .run(context -> assertThat(
                                NestedExceptionUtils.getMostSpecificCause(requireNonNull(context.getStartupFailure())))
                        .hasMessage(problem));
    }

    private static void setOnly(String variable, String value, ConfigurableEnvironment environment) {
        String source = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment
                .getPropertySources()
                .replace(source, new SystemEnvironmentPropertySource(source, Map.of(variable, value)));
    }

    @Configuration(proxyBeanMethods = false)
    static class Strict {
        @Bean
        static StrictBinding strictBinding(Environment environment) {
            return new StrictBinding(environment);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Server {
        private static boolean made;

        @Bean
        static OpenAddressCheck openAddressCheck() {
            return new OpenAddressCheck();
        }

        @Bean
        Object model() {
            made = true;
            return new Object();
        }
    }
}
