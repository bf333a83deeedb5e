package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
