package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;

class HostTests {
    @RegisterExtension
    static final TestServer loopback = TestServer.with();

    @RegisterExtension
    static final TestServer named = TestServer.with("omlx.server.allowed-hosts=mac.example.org");

    @RegisterExtension
    static final TestServer open = TestServer.with("omlx.server.allowed-hosts=*");

    @RegisterExtension
    static final TestServer everywhere =
            TestServer.with("server.address=0.0.0.0", "omlx.auth.allow-unauthenticated=true");

    @RegisterExtension
    static final TestServer everywhereNamed = TestServer.with(
            "server.address=0.0.0.0",
            "omlx.auth.allow-unauthenticated=true",
            "omlx.server.allowed-hosts=mac.example.org");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8000",
                "LOCALHOST:1",
                "localhost.",
                "a.localhost:80",
                "127.0.0.1:8000",
                "127.1.2.3",
                "[::1]",
                "[::1]:8000"
            })
    void knowsItselfByTheNamesOfItsInterface(String host) {
        assertThat(status(loopback, host)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example.com",
                "evil.example.com:8000",
                "127.0.0.1.evil.com",
                "localhost.evil.com",
                "notlocalhost",
                "192.168.1.5:8000",
                "[fe80::1]:80",
                "0.0.0.0:8000",
                "mac.example.org"
            })
    void refusesOtherNames(String host) {
        assertThat(status(loopback, host)).isEqualTo(403);
    }

    @Test
    void refusesInTheShapeOfAllErrors() {
        loopback.client()
                .post()
                .uri("/v1/chat/completions")
                .header(HttpHeaders.HOST, "evil.example.com")
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectHeader()
                .exists("x-request-id")
                .expectBody()
                .jsonPath("$.error.code")
                .isEqualTo("forbidden");
    }

    @Test
    void takesTheNamesItIsGiven() {
        assertThat(status(named, "MAC.example.org:8000")).isEqualTo(200);
        assertThat(status(named, "localhost")).isEqualTo(200);
        assertThat(status(named, "evil.example.com")).isEqualTo(403);
        assertThat(status(open, "evil.example.com")).isEqualTo(200);
    }

    @Test
    void looksAtNamesElsewhereOnlyWhereSomeAreGiven() {
        assertThat(status(everywhere, "10.0.0.7:8000")).isEqualTo(200);
        assertThat(status(everywhereNamed, "mac.example.org")).isEqualTo(200);
        assertThat(status(everywhereNamed, "evil.example.com")).isEqualTo(403);
    }

    private static int status(TestServer server, String host) {
        return server.client()
                .get()
                .uri("/health")
                .header(HttpHeaders.HOST, host)
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getStatus()
                .value();
    }
}
