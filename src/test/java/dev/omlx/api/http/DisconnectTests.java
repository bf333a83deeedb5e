package dev.omlx.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.testsupport.Face;
import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.ScriptedEngine;
import dev.omlx.testsupport.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A client that goes away, or stops reading, frees what it held. */
class DisconnectTests {
    private static final String CHAT = Face.CHAT.path();
    private static final Duration SOON = Duration.ofSeconds(1);

    @RegisterExtension
    static final TestServer server = TestServer.with("omlx.server.write-timeout=1s");

    @ParameterizedTest
    @MethodSource("departures")
    void cancelsWhenTheClientGoes(Face face, boolean stream, boolean started, boolean reset) throws IOException {
        Script script = Script.empty();
        server.engine().play(started ? script.start().say("<a>").hang() : script.hang());

        try (RawConnection client = RawConnection.to(server).post(face.path(), face.body(stream))) {
            if (stream && started) {
                client.readUntil("<a>");
            }
            awaitRequest();
            assertThat(server.engine().running()).isOne();
            if (reset) {
                client.reset();
            }
        }

        await().atMost(SOON).until(() -> server.engine().running() == 0);
        assertThat(server.engine().isCancelled(server.engine().lastRequest())).isTrue();
    }

    /** All faces, in both modes, before and after the first token, with a farewell and without. */
    static Stream<Arguments> departures() {
        return Stream.of(Face.values())
                .flatMap(face -> IntStream.range(0, 8)
                        .mapToObj(bits -> Arguments.of(face, (bits & 1) > 0, (bits & 2) > 0, (bits & 4) > 0)));
    }

    @ParameterizedTest
    @CsvSource({"head, false", "head, true", "body, false", "body, true", "chunk, false", "chunk, true"})
    @ExtendWith(OutputCaptureExtension.class)
    void saysNothingOfAClientThatLeavesWithinItsRequest(String part, boolean reset, CapturedOutput output)
            throws Exception {
        String head = "POST " + CHAT + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        String half = switch (part) {
            case "head" -> head;
            case "body" -> head + "Content-Length: 1000\r\n\r\n{\"messages\": [";
            case "chunk" -> head + "Transfer-Encoding: chunked\r\n\r\n100\r\n{\"messages\": [";
            default -> throw new IllegalArgumentException(part);
        };
        for (int i = 0; i < 20; i++) {
            try (RawConnection client = RawConnection.to(server).send(half)) {
                Thread.sleep(20);
                if (reset) {
                    client.reset();
                }
            }
        }
        Thread.sleep(200);

        assertThat(output.getAll()).doesNotContain("ERROR", "WARN");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ZZ\r\nab\r\n",
                "2\r\nabcd\r\n",
                "-1\r\n",
                "99999999999999999999\r\na",
                // whole, but for its trailer
                "2c\r\n{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\r\n0\r\nno trailer\r\n\r\n"
            })
    @ExtendWith(OutputCaptureExtension.class)
    void refusesABodyThatIsNoHttpWithoutAWordAboutIt(String chunks, CapturedOutput output) throws Exception {
        String head = "POST " + CHAT + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n";
        for (int i = 0; i < 20; i++) {
            try (RawConnection client = RawConnection.to(server).send(head + chunks)) {
                assertThat(client.readUntil("\r\n")).contains("400");
            }
        }
        Thread.sleep(200);

        assertThat(output.getAll()).doesNotContain("ERROR");
        assertThat(server.engine().requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void abortsForAClientThatNeverReads(Face face) throws IOException {
        server.engine().play(Script.empty().start().babble("x".repeat(1000)));

        try (RawConnection client = RawConnection.to(server, 4096).post(face.path(), face.body(true))) {
            awaitRequest();
            await().atMost(Duration.ofSeconds(10)).until(() -> server.engine().running() == 0);
            assertThat(server.engine().isCancelled(server.engine().lastRequest()))
                    .isTrue();
        }
    }

    @Test
    void waitsForAClientThatReadsSlowly() throws Exception {
        ScriptedEngine engine = server.engine();
        engine.play(Script.empty().start().babble("x".repeat(1000)));

        try (RawConnection client = RawConnection.to(server, 4096).post(CHAT, Face.CHAT.body(true))) {
            long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
            while (System.nanoTime() < end) {
                client.readUntil("\n\n");
                Thread.sleep(2);
            }
            assertThat(engine.running()).isOne();
        }
        await().atMost(SOON).until(() -> engine.running() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void keepsNoMoreThanALittleForAClientThatDoesNotRead(Face face) throws Exception {
        AtomicInteger taken = new AtomicInteger();
        server.engine().play(Script.empty().start().babble("x".repeat(1000), taken::incrementAndGet));

        try (RawConnection client = RawConnection.to(server, 4096).post(face.path(), face.body(true))) {
            awaitRequest();
            Thread.sleep(400);
            // a frame has about 1,200 bytes: 256 KB in the kernel, 64 KB in Netty, some in queues between
            assertThat(taken.get()).isBetween(1, 1000);
        }
    }

    private static void awaitRequest() {
        await().atMost(SOON.multipliedBy(10))
                .until(() -> !server.engine().requests().isEmpty());
    }
}
