package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class OpenAddressCheckTests {
    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getByName(literal);
    }

    @Test
    void loopbackIsOpenToItsOwnMachine() {
        assertThatCode(() -> new OpenAddressCheck(new AuthProperties(false), address("127.0.0.1")))
                .doesNotThrowAnyException();
        assertThatCode(() -> new OpenAddressCheck(new AuthProperties(false), address("::1")))
                .doesNotThrowAnyException();
    }

    @Test
    void otherAddressesMustBeWanted() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new OpenAddressCheck(new AuthProperties(false), address("0.0.0.0")))
                .withMessageContaining("0.0.0.0")
                .withMessageContaining("omlx.auth.allow-unauthenticated=true");
        assertThatIllegalStateException()
                .isThrownBy(() -> new OpenAddressCheck(new AuthProperties(false), null))
                .withMessageContaining("every address");
        assertThatCode(() -> new OpenAddressCheck(new AuthProperties(true), address("0.0.0.0")))
                .doesNotThrowAnyException();
    }
}
