package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is HTTP/1.1 and what only looks like it. */
class ProtocolTests {
    @RegisterExtension
    static final TestServer loopback = TestServer.with();

    /** A server that looks at no names. */
    @RegisterExtension
    static final TestServer open = TestServer.with("omlx.server.allowed-hosts=*");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: localhost\r\nHost: localhost\r\n",
                "Host: localhost\r\nHOST: evil.example.com\r\n",
                "Host: a b\r\n",
                "Host: user@localhost\r\n",
                "Host: localhost/path\r\n"
            })
    void refusesRequestsThatDoNotNameOneHost(String header) throws IOException {
        for (TestServer server : new TestServer[] {loopback, open}) {
            assertThat(get(server, "HTTP/1.1", header))
                    .startsWith("HTTP/1.1 400 ")
                    .containsIgnoringCase("\r\nx-request-id: req_")
                    .contains(
                            "{\"error\":{\"message\":\"",
                            "Host",
                            "\"type\":\"invalid_request_error\"",
                            "\"code\":null");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Host: localhost:1\r\n", "host:LOCALHOST\r\n", "Host: [::1]:8000\r\n", "Host: 127.0.0.1\r\n"})
    void takesRequestsThatNameOne(String header) throws IOException {
        assertThat(get(loopback, "HTTP/1.1", header)).startsWith("HTTP/1.1 200 ");
        assertThat(get(open, "HTTP/1.2", header)).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Host: localhost\r\n"})
    void asksNoHostOfOldClients(String header) throws IOException {
        assertThat(get(loopback, "HTTP/1.0", header)).startsWith("HTTP/1.0 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/9.9", "HTTP/0.9", "HTTP/3.0"})
    void refusesOtherVersionsInItsOwn(String version) throws IOException {
        assertThat(get(loopback, version, "Host: localhost\r\n"))
                .startsWith("HTTP/1.1 505 ")
                .contains(
                        "{\"error\":{\"message\":\"this server speaks HTTP/1.1",
                        "\"code\":\"http_version_not_supported\"");
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/2.0 nonsense', 400, not valid HTTP",
        "'\u0016\u0003\u0001 garbage', 400, not valid HTTP",
        "'GET /health HOT/1.1', 400, not valid HTTP",
        "'PRI * HTTP/2.0\r\n\r\nSM', 400, not valid HTTP",
        "'GET /health HTTP/1.1\r\nHost: 127.0.0.1:abc', 400, Host",
        "'GET /health HTTP/1.1\r\nHost: 127.0.0.1:99999999999', 400, Host",
        "'GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1', 400, not valid HTTP",
        "'GET /LONG HTTP/1.1\r\nHost: localhost', 414, first line",
        "'GET / HTTP/1.1\r\nHost: localhost\r\nX: LONG', 431, headers"
    })
    void explainsWhatItCannotRead(String request, int status, String reason) throws IOException {
        try (RawConnection client = RawConnection.to(loopback)) {
            String endless = "x".repeat(100_000);
            assertThat(client.send(request.replace("LONG", endless) + "\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 " + status + " ")
                    .containsIgnoringCase("\r\nx-request-id: req_")
                    .contains("{\"error\":{\"message\":\"the ", reason, "\"type\":\"invalid_request_error\"");
        }
    }

    /** Read undecoded, what follows the request could be taken for the next one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip, chunked",
                "gzip",
                "chunked, chunked",
                "identity",
                "xchunked",
                "chunked\r\nTransfer-Encoding: chunked"
            })
    void refusesTransferCodingsOtherThanChunks(String coding) throws IOException {
        try (RawConnection client = RawConnection.to(loopback)) {
            String answer = client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Type: application/json\r\nTransfer-Encoding: " + coding + "\r\n\r\n"
                            + "2\r\n{}\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readAll();
            assertThat(answer).matches("(?s)HTTP/1.1 (501|400) .*").doesNotContain("HTTP/1.1 200");
            if (answer.startsWith("HTTP/1.1 501")) {
                assertThat(answer)
                        .contains("{\"error\":{\"message\":\"the transfer coding", "\"param\":\"Transfer-Encoding\"");
            }
        }
    }

    private static String get(TestServer server, String version, String header) throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            return client.send("GET /health " + version + "\r\n" + header + "Connection: close\r\n\r\n")
                    .readAll();
        }
    }
}
