package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.omlx.testsupport.ServerProcess;
import dev.omlx.testsupport.TinyModel;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executable jar with its archive of classes beside it, as the build leaves them, and with one that does not fit. */
class ClassArchiveIT {
    private static final Path JAR = Path.of(System.getProperty("omlx.test.jar"));

    @TempDir
    private Path folder;

    @Test
    void aPlainStartTakesTheArchiveAndKeepsTheProcess() throws InterruptedException {
        assumeThat(System.getenv()).doesNotContainKeys("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
        try (ServerProcess server = start(JAR)) {
            assertThat(server.process().info().commandLine().orElseThrow()).contains("-XX:AOTCache=");
            assertThat(models(server).statusCode()).isEqualTo(200);
            server.process().toHandle().destroy();
            assertThat(server.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.process().exitValue()).isZero();
        }
    }

    @Test
    void aJarWithoutAnArchiveStarts() throws IOException {
        try (ServerProcess server = start(Files.copy(JAR, folder.resolve("alone.jar")))) {
            assertThat(server.process().info().commandLine().orElseThrow()).doesNotContain("AOTCache");
            assertThat(models(server).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anArchiveOfAnotherJarIsLeftOutWithoutAWord() throws IOException {
        Path jar = Files.copy(JAR, folder.resolve("other.jar"));
        Path archive = Files.copy(JAR.resolveSibling("omlx-server-exec.aot"), folder.resolve("other.aot"));
        Files.setLastModifiedTime(archive, Files.getLastModifiedTime(jar));
        try (ServerProcess server = start(jar)) {
            assertThat(models(server).statusCode()).isEqualTo(200);
            assertThat(server.output()).startsWith("oMLX for Java").doesNotContainIgnoringCase("aot");
        }
    }

    @Test
    void aBrokenArchiveIsLeftOutWithoutAWord() throws IOException {
        Path jar = Files.copy(JAR, folder.resolve("other.jar"));
        Path archive = Files.writeString(folder.resolve("other.aot"), "no archive");
        Files.setLastModifiedTime(archive, Files.getLastModifiedTime(jar));
        try (ServerProcess server = start(jar)) {
            assertThat(models(server).statusCode()).isEqualTo(200);
            assertThat(server.output()).startsWith("oMLX for Java").doesNotContainIgnoringCase("aot");
        }
    }

    private static HttpResponse<String> models(ServerProcess server) {
        return server.send(server.get("/v1/models"), BodyHandlers.ofString());
    }

    private ServerProcess start(Path jar) {
        return ServerProcess.startJar(
                jar,
                folder.resolve("server.log"),
                "--omlx.models.default-model=" + TinyModel.in(folder.resolve("tiny")),
                "--omlx.home=" + folder);
    }
}
