package dev.omlx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.ServerProcess;
import dev.omlx.testsupport.TinyModel;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The executable jar with a tiny model, under clients that are many, or rude. */
class ServerLoadIT {
    private static final int CANCELS = 2_000;
    private static final int RUDE_CLIENTS = 40;
    private static final int CONVERSATIONS = 200;
    private static final int OVERLOAD = 500;
    private static final int QUEUE_LIMIT = 64;

    @TempDir
    private Path folder;

    private ServerProcess start(String... options) {
        List<String> all = new ArrayList<>(List.of(
                "--omlx.models.default-model=" + TinyModel.in(folder.resolve("tiny")), "--omlx.home=" + folder));
        all.addAll(List.of(options));
        return ServerProcess.start(folder.resolve("server.log"), all.toArray(String[]::new));
    }

    private static String request(String text, int tokens, boolean stream) {
        return """
                {"messages": [{"role": "user", "content": "%s"}], "max_tokens": %d, "temperature": 0,
                 "ignore_eos": true, "stream": %s}""".formatted(text, tokens, stream);
    }

    private static String answer(ServerProcess server, String text, int tokens) {
        HttpResponse<String> response = server.send(server.chat(request(text, tokens, false)), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body().replaceFirst(".*\"message\":", "");
    }

    @Test
    void conversationsOneAfterAnotherLeaveNothingBehind() {
        try (ServerProcess server = start()) {
            JsonNode first = null;
            for (int i = 0; i < CONVERSATIONS; i++) {
                answer(server, "question " + "x".repeat(i), 8);
                JsonNode now = server.awaitIdle();
                if (first == null) {
                    first = now;
                }
                assertThat(now).as("after conversation %d", i + 1).isEqualTo(first);
            }
        }
    }

    @Test
    void closedSocketsLeaveNothingBehind() throws ExecutionException, InterruptedException {
        long seed = System.nanoTime();
        try (ServerProcess server =
                start("--omlx.scheduler.max-batch-size=8", "--omlx.scheduler.queue-limit=" + CANCELS)) {
            String before = answer(server, "the same", 40);
            JsonNode baseline = server.awaitIdle();
            try (ExecutorService clients = Executors.newFixedThreadPool(RUDE_CLIENTS)) {
                List<Future<?>> all = new ArrayList<>();
                for (int client = 0; client < RUDE_CLIENTS; client++) {
                    Random random = new Random(seed + client);
                    all.add(clients.submit(() -> {
                        for (int i = 0; i < CANCELS / RUDE_CLIENTS; i++) {
                            askAndLeave(server, random);
                        }
                        return null;
                    }));
                }
                for (Future<?> client : all) {
                    client.get();
                }
            }
            assertThat(server.awaitIdle()).as("seed %d", seed).isEqualTo(baseline);
            assertThat(answer(server, "the same", 40)).isEqualTo(before);
            assertThat(server.output()).doesNotContain("WARN", "ERROR");
        }
    }

    /** Leaves at once, while the request waits or its prompt is read, or after some of the answer. */
    private static void askAndLeave(ServerProcess server, Random random) throws IOException, InterruptedException {
        boolean stream = random.nextBoolean();
        try (RawConnection connection = RawConnection.to(server)) {
            connection.post("/v1/chat/completions", request("y".repeat(1 + random.nextInt(300)), 100, stream));
            switch (random.nextInt(4)) {
                case 0 -> {}
                case 1 -> Thread.sleep(random.nextInt(50));
                default -> {
                    if (stream) {
                        for (int frames = random.nextInt(12); frames >= 0; frames--) {
                            connection.readUntil("\n\n");
                        }
                    } else {
                        Thread.sleep(random.nextInt(150));
                    }
                }
            }
            if (random.nextBoolean()) {
                connection.reset();
            }
        }
    }

    @Test
    void moreThanItCanTakeAreRefusedAndNothingElse() {
        try (ServerProcess server =
                start("--omlx.scheduler.max-batch-size=8", "--omlx.scheduler.queue-limit=" + QUEUE_LIMIT)) {
            answer(server, "warm", 5);
            JsonNode baseline = server.awaitIdle();
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int i = 0; i < OVERLOAD; i++) {
                sent.add(server.sendAsync(
                        server.chat(request("number " + i, 100, i % 2 == 0)), BodyHandlers.ofString()));
            }
            int served = 0;
            for (CompletableFuture<HttpResponse<String>> one : sent) {
                HttpResponse<String> response = one.join();
                if (response.statusCode() == 200) {
                    served++;
                    assertThat(response.body()).contains("\"finish_reason\":\"length\"");
                } else {
                    assertThat(response.statusCode()).isIn(429, 503);
                    assertThat(Integer.parseInt(
                                    response.headers().firstValue("Retry-After").orElseThrow()))
                            .isPositive();
                }
            }
            assertThat(served).isBetween(QUEUE_LIMIT, OVERLOAD - 1);
            assertThat(server.awaitIdle()).isEqualTo(baseline);
            assertThat(server.send(server.get("/health"), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(server.output()).doesNotContain("WARN", "ERROR");
        }
    }
}
