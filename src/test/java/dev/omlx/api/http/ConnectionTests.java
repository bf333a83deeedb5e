package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.Face;
import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a connection may and may not do; below what HTTP libraries show. */
@Timeout(30)
class ConnectionTests {
    private static final String CHAT = "/v1/chat/completions";
    private static final String BODY = "{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}";
    private static final String STREAM = BODY.replaceFirst("}$", ", \"stream\": true}");
    private static final String HEAD =
            "POST " + CHAT + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

    @RegisterExtension
    static final TestServer server = TestServer.with(
            "omlx.server.header-timeout=1s", "omlx.server.read-timeout=1s", "omlx.server.idle-timeout=2s");

    @Test
    void endsAStreamAndKeepsTheConnection() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            String stream = client.post(CHAT, STREAM).readUntil("\r\n0\r\n\r\n");
            assertThat(stream).startsWith("HTTP/1.1 200 OK\r\n").contains("data: [DONE]\n\n\r\n0\r\n\r\n");

            String whole = client.post(CHAT, BODY).readUntil("}}}");
            assertThat(whole).startsWith("HTTP/1.1 200 OK\r\n").contains("Hello world");
        }
    }

    @Test
    void sendsEachFrameByItself() throws IOException {
        try (RawConnection client = RawConnection.to(server).post(CHAT, STREAM)) {
            String stream = client.readUntil("\r\n0\r\n\r\n");
            assertThat(stream).contains("\n\n\r\n").containsPattern("\r\n[0-9a-f]+\r\ndata: \\{");
        }
    }

    @Test
    void closesAfterAStreamWhereTheClientWantsThat() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(HEAD + "Connection: close\r\nContent-Length: " + STREAM.length() + "\r\n\r\n" + STREAM);
            assertThat(client.readAll()).endsWith("data: [DONE]\n\n\r\n0\r\n\r\n");
        }
    }

    @Test
    void answersRequestsThatWereSentBehindOthers() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            String post = HEAD + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
            client.send(post + "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" + post);
            assertThat(client.readUntil("}}}"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Hello world");
            assertThat(client.readUntil("}}}"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Hello world");
        }
    }

    /** These know no chunks, and know by the end of the connection that an answer is whole. */
    @ParameterizedTest
    @EnumSource
    void sendsNoChunksToOldClients(Face face) throws IOException {
        for (String connection : new String[] {"", "Connection: keep-alive\r\n"}) {
            try (RawConnection client = RawConnection.to(server)) {
                String body = face.body(true);
                client.send(face.head().replace("HTTP/1.1", "HTTP/1.0") + connection + "Content-Length: "
                        + body.length() + "\r\n\r\n" + body);
                assertThat(client.readAll())
                        .containsPattern("^HTTP/1\\.[01] 200 OK\r\n")
                        .doesNotContainIgnoringCase("transfer-encoding")
                        .doesNotContainPattern("(?m)^[0-9a-f]+\r$")
                        .containsPattern("\r\n\r\n(data: |event: |\\{)")
                        .contains("Hello", " world");
            }
        }
    }

    @Test
    void takesChunkedBodies() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < BODY.length(); i++) {
                client.send("1\r\n" + BODY.charAt(i) + "\r\n");
            }
            assertThat(client.send("0\r\n\r\n").readUntil("}}}")).contains("Hello world");
        }
    }

    @Test
    void asksForTheBodyOfAClientThatWaits() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(HEAD + "Expect: 100-continue\r\nContent-Length: " + BODY.length() + "\r\n\r\n");
            assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
            assertThat(client.send(BODY).readUntil("}}}")).contains("Hello world");
        }
    }

    @Test
    void refusesABodyThatIsTooLargeBeforeItComes() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(HEAD + "Expect: 100-continue\r\nContent-Length: 3000000000\r\n\r\n");
            assertThat(client.readAll()).startsWith("HTTP/1.1 413 ").contains("\"code\":\"request_too_large\"");
        }
    }

    @Test
    void refusesAnEndlessBody() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            String chunk = "100000\r\n" + " ".repeat(0x100000) + "\r\n";
            for (int i = 0; i < 64; i++) {
                client.send(chunk);
            }
            assertThat(client.readAll()).startsWith("HTTP/1.1 413 ").contains("\"code\":\"request_too_large\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesUpOnASlowBody(Face face) throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(face.head() + "Content-Length: 1000\r\n\r\n{");
            assertThat(client.readAll())
                    .startsWith("HTTP/1.1 408 ")
                    .contains("the request body did not arrive in time");
        }
        assertThat(server.engine().requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void givesUpOnABodyThatTrickles(Face face) throws Exception {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(face.head() + "Content-Length: 1000\r\n\r\n{");
            Thread trickle = Thread.startVirtualThread(() -> trickle(client));
            assertThat(client.readAll()).startsWith("HTTP/1.1 408 ");
            client.close();
            trickle.join();
        }
    }

    @Test
    void givesUpOnASlowHeader() throws Exception {
        try (RawConnection client = RawConnection.to(server)) {
            long start = System.nanoTime();
            client.send("POST " + CHAT + " HTTP/1.1\r\nX: ");
            Thread trickle = Thread.startVirtualThread(() -> trickle(client));
            assertThat(client.readAll()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
            trickle.join();
        }
    }

    @Test
    void closesIdleConnections() throws IOException {
        try (RawConnection fresh = RawConnection.to(server);
                RawConnection used = RawConnection.to(server).post(CHAT, BODY)) {
            assertThat(fresh.readAll()).isEmpty();
            assertThat(used.readAll()).contains("Hello world");
        }
    }

    @Test
    void leavesLongAnswersOpen() throws IOException {
        server.engine()
                .play(Script.empty()
                        .start()
                        .pause(Duration.ofSeconds(3))
                        .say("late")
                        .stop(1));

        try (RawConnection client = RawConnection.to(server).post(CHAT, STREAM)) {
            assertThat(client.readUntil("\r\n0\r\n\r\n")).contains("late");
        }
        try (RawConnection client = RawConnection.to(server).post(CHAT, BODY)) {
            assertThat(client.readUntil("}}}")).contains("late");
        }
    }

    @Test
    void refusesAddressesThatAreNone() throws IOException {
        for (String start : new String[] {"GET /%", "GET /v1/{x}", "POST /a|b?c=%zz", "GET /v1/models/%zz"}) {
            try (RawConnection client = RawConnection.to(server)) {
                client.send(start + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
                assertThat(client.readUntil("}}"))
                        .startsWith("HTTP/1.1 400 ")
                        .containsIgnoringCase("\r\nx-request-id: req_")
                        .containsIgnoringCase("\r\nContent-Type: application/json")
                        .contains("{\"error\":{\"message\":");
                client.post(CHAT, BODY).readUntil("}}}");
            }
        }
    }

    @Test
    void refusesAddressesInTheDialectOfTheClient() throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send(
                    "GET /v1/models?limit=%zz HTTP/1.1\r\nHost: localhost\r\nanthropic-version: 2023-06-01\r\n\r\n");
            assertThat(client.readUntil("}"))
                    .contains("{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\"");
        }
        try (RawConnection client = RawConnection.to(server)) {
            client.send("GET /api/tags?a=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.readUntil("}")).contains("{\"error\":\"the address ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/../health",
                "/../health",
                "/v1/%2e%2e/health",
                "/..",
                "/v1/./models",
                "/v1/models;a=b/..",
                "/v1/models/..",
                "//v1//..//health"
            })
    @ExtendWith(OutputCaptureExtension.class)
    void takesNoDetours(String path, CapturedOutput output) throws IOException {
        try (RawConnection client = RawConnection.to(server)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.readUntil("}}"))
                    .startsWith("HTTP/1.1 404 ")
                    .contains("{\"error\":{\"message\":\"there is no GET " + path + " here\"");
            client.post(CHAT, BODY).readUntil("}}}");
        }
        assertThat(output.getAll()).doesNotContain("ERROR", "WARN");
    }

    @Test
    void refusesWhatIsNoHttp() throws IOException {
        try (RawConnection client = RawConnection.to(server).send("\u0016\u0003\u0001 hello\r\n\r\n")) {
            assertThat(client.readAll()).startsWith("HTTP/1.1 400 ");
        }
    }

    private static void trickle(RawConnection client) {
        try {
            for (int i = 0; i < 100; i++) {
                client.send(" ");
                Thread.sleep(100);
            }
        } catch (IOException closed) {
            // what the test waits for
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
