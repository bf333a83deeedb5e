package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.testsupport.Face;
import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that hold on to the server in great numbers, at every face: others are served beside them as ever. */
@Timeout(120)
class CrowdTests {
    private static final int HALF_OPEN = 1_000;
    private static final int TRICKLING = 120;
    private static final int NEVER_READING = 60;
    private static final Duration AT_ONCE = Duration.ofSeconds(2);
    private static final Duration GONE = Duration.ofSeconds(30);
    private static final String MARK = "\"temperature\": 0.123";

    @RegisterExtension
    static final TestServer server = TestServer.with(
            "omlx.server.header-timeout=5s",
            "omlx.server.read-timeout=5s",
            "omlx.server.idle-timeout=5s",
            "omlx.server.write-timeout=4s");

    @Test
    void servesOthersBesideHalfOpenConnections() throws IOException {
        List<RawConnection> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < HALF_OPEN; i++) {
                crowd.add(RawConnection.to(server).send(half(Face.values()[i % Face.values().length], i % 4)));
            }
            assertOthersAreServed();
            assertThat(server.engine().requests()).hasSize(2 * Face.values().length);

            for (RawConnection connection : crowd) {
                assertThat(connection.readAll()).matches("(?s)|HTTP/1\\.1 408 .*");
            }
        } finally {
            closeAll(crowd);
        }
        assertOthersAreServed();
    }

    /** A part of a request; nothing at all is one, too. */
    private static String half(Face face, int part) {
        return switch (part) {
            case 0 -> "";
            case 1 -> face.head();
            case 2 -> face.head() + "Content-Length: 1000\r\n\r\n{\"model\": ";
            default -> face.head() + "Transfer-Encoding: chunked\r\n\r\n100\r\n{\"model\": ";
        };
    }

    @Test
    void servesOthersBesideClientsThatTrickle() throws Exception {
        List<RawConnection> crowd = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 0; i < TRICKLING; i++) {
                RawConnection slow = RawConnection.to(server);
                crowd.add(slow);
                slow.send(half(Face.values()[i % Face.values().length], 1 + i % 2));
                String drop = i % 2 == 0 ? "X" : " ";
                threads.add(Thread.startVirtualThread(() -> trickle(slow, drop, over)));
            }
            assertOthersAreServed();

            for (RawConnection connection : crowd) {
                assertThat(whatIsLeft(connection)).matches("(?s)|HTTP/1\\.1 408 .*");
            }
        } finally {
            over.set(true);
            closeAll(crowd);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Who sends to a connection that was closed loses what it has not read. */
    private static String whatIsLeft(RawConnection connection) throws IOException {
        try {
            return connection.readAll();
        } catch (SocketException reset) {
            return "";
        }
    }

    private static void trickle(RawConnection client, String drop, AtomicBoolean over) {
        try {
            while (!over.get()) {
                client.send(drop);
                Thread.sleep(100);
            }
        } catch (IOException closed) {
            // what the test waits for
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void servesOthersBesideClientsThatNeverRead() throws IOException {
        server.engine()
                .play(Script.each(request ->
                        Double.valueOf(0.123).equals(request.sampling().temperature())
                                ? Script.empty().start().babble("x".repeat(1000))
                                : Script.answer("Hello", " world")));
        List<RawConnection> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < NEVER_READING; i++) {
                Face face = Face.values()[i % Face.values().length];
                String mark = face.streamsLines() ? "\"options\": {" + MARK + "}" : MARK;
                crowd.add(RawConnection.to(server, 4096).post(face.path(), face.body(true, mark)));
            }
            await().atMost(GONE).until(() -> server.engine().running() == NEVER_READING);
            assertOthersAreServed();
            await().atMost(AT_ONCE).until(() -> server.engine().running() == NEVER_READING);

            await().atMost(GONE).until(() -> server.engine().running() == 0);
        } finally {
            closeAll(crowd);
        }
    }

    private static void assertOthersAreServed() throws IOException {
        for (Face face : Face.values()) {
            for (boolean stream : new boolean[] {true, false}) {
                long start = System.nanoTime();
                try (RawConnection client = RawConnection.to(server)) {
                    client.send(face.head() + "Connection: close\r\nContent-Length: "
                            + face.body(stream).length() + "\r\n\r\n" + face.body(stream));
                    assertThat(client.readAll()).startsWith("HTTP/1.1 200 ").contains(stream ? "Hello" : "Hello world");
                }
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .as("%s, stream %s", face, stream)
                        .isLessThan(AT_ONCE);
            }
        }
    }

    private static void closeAll(List<RawConnection> crowd) throws IOException {
        for (RawConnection connection : crowd) {
            connection.close();
        }
    }
}
