import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the archive of classes that stands beside the executable jar (docs/adr/0014): starts the server on a model,
 * asks it once whole and once streamed, ends it, and lets the JVM write down what it has loaded and linked. Profiles are
 * left out: with them the JVM compiles at once what a start runs, and that costs more than it gains.
 *
 * <p>{@code java ClassArchive.java JAR MODEL}
 */
final class ClassArchive {
    private static final Pattern READY = Pattern.compile("ready at (http://\\S+)");
    private static final String QUESTION =
            "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"max_tokens\":8,\"stream\":%s}";

    public static void main(String[] args) throws IOException, InterruptedException {
        Path jar = Path.of(args[0]);
        Path archive = jar.resolveSibling(jar.getFileName().toString().replaceFirst("\\.jar$", ".aot"));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.deleteIfExists(archive);
        Process server = new ProcessBuilder(
                        java.toString(),
                        "-XX:AOTCacheOutput=" + archive,
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-AOTRecordTraining",
                        "-Xlog:aot*=error",
                        "-Xlog:cds*=error",
                        "-jar",
                        jar.toString(),
                        "serve",
                        "--port",
                        "0",
                        "--model",
                        args[1])
                .redirectErrorStream(true)
                .start();
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines = server.inputReader()) {
            for (String line; (line = lines.readLine()) != null; ) {
                output.append(line).append('\n');
                Matcher ready = READY.matcher(line);
                if (ready.find()) {
                    ask(ready.group(1));
                    server.toHandle().destroy(); // Process.destroy would close its output too
                }
            }
        } finally {
            server.destroy();
        }
        int code = server.waitFor();
        if (code != 0 || !Files.exists(archive)) {
            System.err.println("no archive of classes, the server ended with code " + code + ":\n" + output);
            System.exit(1);
        }
        Files.setLastModifiedTime(archive, Files.getLastModifiedTime(jar)); // how a start knows that they belong together
    }

    private static void ask(String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String path : List.of("/health", "/actuator/health/readiness", "/v1/models")) {
                HttpRequest get = HttpRequest.newBuilder(URI.create(url + path)).build();
                client.send(get, HttpResponse.BodyHandlers.ofString());
            }
            for (boolean stream : new boolean[] {false, true}) {
                HttpRequest chat = HttpRequest.newBuilder(URI.create(url + "/v1/chat/completions"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(QUESTION.formatted(stream)))
                        .build();
                HttpResponse<String> answer = client.send(chat, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new IOException(answer.body());
                }
            }
        }
    }
}
