package dev.omlx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.OpenAiSdkScenario;
import dev.omlx.testsupport.ServerProcess;
import dev.omlx.testsupport.TestModels;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
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
            sdk.streamsTheSame();
            sdk.answersSeveralTimes();
            sdk.reportsLogprobs();
            sdk.refusesMistakes();
            sdk.listsModels();
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
            String last = "";
            while (lines.hasNext()) {
                String line = lines.next();
                last = line.isEmpty() ? last : line;
            }
            assertThat(last).matches("data: (\\[DONE\\]|\\{\"error\":\\{.*\"server_is_overloaded\".*)");
            assertThat(server.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.process().exitValue()).isZero();
            assertThat(server.output()).doesNotContain("WARN", "ERROR");
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

    private static void awaitText(Iterator<String> lines) {
        while (lines.hasNext()) {
            if (lines.next().matches(".*\"content\":\"[^\"]+\".*")) {
                return;
            }
        }
        throw new AssertionError("the stream ended without a word");
    }
}
