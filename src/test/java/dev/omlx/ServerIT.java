package dev.omlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.testsupport.OpenAiSdkScenario;
import dev.omlx.testsupport.RawConnection;
import dev.omlx.testsupport.ResponsesSdkScenario;
import dev.omlx.testsupport.ServerProcess;
import dev.omlx.testsupport.TestModels;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executable jar with the default model, as a user starts and stops it. */
class ServerIT {
    private static final String CAPITAL = """
            {"messages": [{"role": "user", "content": "What is the capital of France?"}], "temperature": 0, "stream": %s}
            """;
    private static final String STORY = """
            {"messages": [{"role": "user", "content": "Tell me a long story."}], "temperature": 0, "stream": true}
            """;
    private static final String ENDLESS = STORY.replaceFirst("}\\s*$", ", \"ignore_eos\": true, \"max_tokens\": 8000}");

    @TempDir
    private Path folder;

    private ServerProcess start(String... options) {
        String[] all = Stream.concat(
                        Stream.of("--omlx.models.default-model=" + TestModels.smollm2(), "--omlx.home=" + folder),
                        Stream.of(options))
                .toArray(String[]::new);
        return ServerProcess.start(folder.resolve("server.log"), all);
    }

    @Test
    void answersCurlAndTheOpenAiSdk() {
        try (ServerProcess server = start();
                OpenAiSdkScenario sdk = new OpenAiSdkScenario(server.url(), "SmolLM2-135M-Instruct.Q4_1")) {
            assertThat(server.send(server.chat(CAPITAL.formatted("false")), BodyHandlers.ofString())
                            .body())
                    .contains("The capital of France is Paris.");
            assertThat(server.send(server.chat(CAPITAL.formatted("true")), BodyHandlers.ofString())
                            .body())
                    .containsPattern("content\":\"[^\"]*Paris")
                    .endsWith("data: [DONE]\n\n");
            assertThat(server.send(server.get("/openapi.json"), BodyHandlers.ofString())
                            .body())
                    .startsWith("{\"openapi\":\"3.1.1\"");
            sdk.streamsTheSame();
            sdk.answersSeveralTimes();
            sdk.reportsLogprobs();
            sdk.offersATool();
            sdk.returnsAResult();
            sdk.refusesMistakes();
            sdk.listsModels();
        }
    }

    @Test
    void answersOllamasClients() {
        try (ServerProcess server = start()) {
            String name = "SmolLM2-135M-Instruct.Q4_1:latest";
            String question = """
                    {"model": "%s", "prompt": "What is the capital of France?", "options": {"temperature": 0,
                     "num_predict": 12}, "stream": %s}
                    """;
            assertThat(server.send(server.get("/api/tags"), BodyHandlers.ofString())
                            .body())
                    .contains(name, "\"family\":\"llama\"")
                    .containsPattern("\"size\":[1-9]");
            assertThat(server.send(server.post("/api/show", "{\"model\": \"" + name + "\"}"), BodyHandlers.ofString())
                            .body())
                    .contains("\"capabilities\":[\"completion\",\"tools\"]", "\"llama.context_length\":8192");
            assertThat(server.send(
                                    server.post("/api/generate", question.formatted(name, false)),
                                    BodyHandlers.ofString())
                            .body())
                    .contains("The capital of France is Paris.")
                    .containsPattern("\"total_duration\":[1-9].*\"prompt_eval_count\":[1-9].*\"eval_duration\":[1-9]");
            assertThat(server.send(
                                    server.post("/api/generate", question.formatted(name, true)),
                                    BodyHandlers.ofString())
                            .body())
                    .containsPattern("\"response\":\" Paris\",\"done\":false")
                    .containsPattern("\"done\":true[^\n]*}\n$");
        }
    }

    @Test
    void givesTheOpenAiSdkResponses() {
        try (ServerProcess server = start();
                ResponsesSdkScenario sdk = new ResponsesSdkScenario(server.url(), "SmolLM2-135M-Instruct.Q4_1")) {
            sdk.streamsTheSame();
            sdk.goesOnFromAResponse();
            sdk.returnsAResult();
            sdk.countsTokens();
            sdk.refusesMistakes();
        }
    }

    @Test
    void terminatedInTheMiddleOfAnAnswerItEndsTheStreamAndExitsCleanly() throws InterruptedException {
        try (ServerProcess server = start("--omlx.scheduler.drain-timeout=2s")) {
            Iterator<String> lines = server.send(server.chat(STORY), BodyHandlers.ofLines())
                    .body()
                    .iterator();
            awaitText(lines);
            server.process().destroy();
            assertThat(last(lines)).matches("data: (\\[DONE\\]|\\{\"error\":\\{.*\"server_is_overloaded\".*)");
            assertThat(server.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.process().exitValue()).isZero();
            assertThat(server.output()).doesNotContain("WARN", "ERROR");
        }
    }

    @Test
    void drainingItSaysSoAndASecondSignalEndsTheDrain() throws InterruptedException {
        try (ServerProcess server = start("--omlx.scheduler.drain-timeout=2m")) {
            Iterator<String> lines = server.send(server.chat(ENDLESS), BodyHandlers.ofLines())
                    .body()
                    .iterator();
            awaitText(lines);
            server.process().destroy();
            HttpRequest health = server.get("/health");
            await().until(() ->
                    server.send(health, BodyHandlers.ofString()).body().contains("{\"status\":\"draining\""));

            assertThat(server.send(server.get("/actuator/health/readiness"), BodyHandlers.ofString())
                            .body())
                    .contains("OUT_OF_SERVICE");
            HttpResponse<String> refused = server.send(server.chat(STORY), BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            awaitText(lines);

            long told = System.nanoTime();
            server.process().destroy();
            assertThat(last(lines)).matches("data: \\{\"error\":\\{.*shutting down.*");
            assertThat(server.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofSeconds(3));
            assertThat(server.process().exitValue()).isZero();
            assertThat(server.output()).doesNotContain("WARN", "ERROR");
        }
    }

    @Test
    void idleItStopsAtOnce() throws InterruptedException {
        try (ServerProcess server = start()) {
            // a connection that is kept alive must not hold it up
            server.send(server.get("/health"), BodyHandlers.discarding());
            long told = System.nanoTime();
            server.process().destroy();

            assertThat(server.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofMillis(1500));
            assertThat(server.process().exitValue()).isZero();
        }
    }

    @Test
    void killedInTheMiddleOfAnAnswerItStartsAgain() {
        try (ServerProcess server = start()) {
            awaitText(server.send(server.chat(STORY), BodyHandlers.ofLines())
                    .body()
                    .iterator());
            server.process()
                    .destroyForcibly()
                    .onExit()
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join();
        }
        long started = System.nanoTime();
        try (ServerProcess server = start()) {
            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofMinutes(1));
            assertThat(server.send(server.chat(CAPITAL.formatted("false")), BodyHandlers.ofString())
                            .body())
                    .contains("Paris");
        }
    }

    @Test
    void saysNothingOfBytesThatAreNoHttp() throws IOException {
        String chunked = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (ServerProcess server = start()) {
            for (String bytes : List.of(
                    "\u0016\u0003\u0001 hello\r\n\r\n",
                    "GET / HTTP/1.1\r\n: no name\r\n\r\n",
                    chunked + "ZZ\r\nab\r\n",
                    chunked + "-1\r\n",
                    chunked + "2\r\nabcd\r\n",
                    chunked + "99999999999999999999\r\na")) {
                try (RawConnection client = RawConnection.to(server).send(bytes)) {
                    assertThat(client.readUntil("\r\n")).as(bytes).startsWith("HTTP/1.1 400 ");
                }
            }
            server.process().destroy();
            server.process().onExit().orTimeout(10, TimeUnit.SECONDS).join();
            assertThat(server.output()).doesNotContain("WARN", "ERROR", "Exception");
        }
    }

    private static String last(Iterator<String> lines) {
        String last = "";
        while (lines.hasNext()) {
            String line = lines.next();
            last = line.isEmpty() ? last : line;
        }
        return last;
    }

    private static void awaitText(Iterator<String> lines) {
        while (lines.hasNext()) {
            if (lines.next().matches(".*\"content\":\"[^\"]+\".*")) {
                return;
            }
        }
        throw new AssertionError("the stream ended without a word");
    }
}
