package dev.omlx.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The server as its users start it: the executable jar in a process of its own, on a free port. */
public final class ServerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final Path log;
    private final int port;

    private ServerProcess(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /** Starts it and waits until it is ready. */
    public static ServerProcess start(Path log, String... arguments) {
        return startJar(Path.of(System.getProperty("omlx.test.jar")), log, arguments);
    }

    /** Starts the server out of a jar of one's own. */
    public static ServerProcess startJar(Path jar, Path log, String... arguments) {
        try {
            int port = freePort();
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-jar",
                    jar.toString(),
                    "serve",
                    "--port",
                    Integer.toString(port)));
            command.addAll(List.of(arguments));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            ServerProcess server = new ServerProcess(process, log, port);
            server.awaitReady();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                if (send(get("/actuator/health/readiness"), HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200) {
                    return;
                }
            } catch (UncheckedIOException e) {
                // not listening yet
            }
            if (System.nanoTime() > deadline || !process.isAlive()) {
                close();
                throw new AssertionError("the server did not start:\n" + output());
            }
            pause();
        }
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    public Process process() {
        return process;
    }

    /** What it has printed. */
    public String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public HttpRequest get(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path)).build();
    }

    /** What the engine does and holds now. */
    public JsonNode scheduler() {
        return JsonMapper.shared()
                .readTree(send(get("/actuator/scheduler"), HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    /** Waits until no request is there any more. */
    public JsonNode awaitIdle() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            JsonNode now = scheduler();
            if (now.at("/sequences/running").asInt() == 0
                    && now.at("/sequences/waiting").asInt() == 0
                    && now.at("/memory/kvReservedBytes").asLong() == 0) {
                return now;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the server does not come to rest: " + now);
            }
            pause();
        }
    }

    public HttpRequest chat(String json) {
        return post("/v1/chat/completions", json);
    }

    public HttpRequest post(String path, String json) {
        return HttpRequest.newBuilder(URI.create(url() + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
    }

    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> body) {
        return client.sendAsync(request, body);
    }

    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) {
        try {
            return client.send(request, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Ends it at once, if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
