package dev.omlx.cli;

import dev.omlx.ffi.ProcessImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The archive of loaded and linked classes that the build leaves beside the executable jar (JEP 483, JEP 515). A JVM
 * takes it only as an option, which a plain {@code java -jar} has no place for; so the first thing that such a start
 * does is to run the JVM anew with it, in the same process (docs/adr/0014).
 */
final class ClassArchive {
    /** A JVM with options of its own is as its user wants it; options in the environment may bind ports or files. */
    private static final List<String> OPTION_VARIABLES =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** A start runs much code a few thousand times; optimising that would take a third of the processor from it. */
    private static final List<String> OPTIMISE_LATER = List.of(
            "-XX:Tier4InvocationThreshold=50000",
            "-XX:Tier4MinInvocationThreshold=6000",
            "-XX:Tier4CompileThreshold=150000",
            "-XX:Tier4BackEdgeThreshold=400000");

    /** An archive that does not fit this JVM is left out without a word: the start is slower, no more. */
    private static final List<String> QUIET =
            List.of("-Xlog:disable", "-Xlog:all=error:stderr", "-Xlog:aot*=off:stderr", "-Xlog:cds*=off:stderr");

    private ClassArchive() {}

    /** Starts anew with the archive, or comes back where there is none, or where the JVM was given options. */
    static void use(String[] args) {
        Path jar = jarAlone();
        Path archive = jar == null ? null : of(jar);
        if (jar == null || archive == null) {
            return;
        }
        List<String> arguments = new ArrayList<>();
        arguments.add("-XX:AOTCache=" + archive);
        arguments.addAll(OPTIMISE_LATER);
        arguments.addAll(QUIET);
        arguments.add("-jar");
        arguments.add(jar.toString());
        arguments.addAll(List.of(args));
        ProcessImage.replace(Path.of(System.getProperty("java.home"), "bin", "java"), arguments);
    }

    /** The jar, if this JVM was started by {@code java -jar} and nothing more. */
    private static @Nullable Path jarAlone() {
        for (String variable : OPTION_VARIABLES) {
            if (System.getenv(variable) != null) {
                return null;
            }
        }
        String[] given = ProcessHandle.current().info().arguments().orElse(new String[0]);
        return given.length >= 2 && given[0].equals("-jar") ? Path.of(given[1]) : null;
    }

    /** The archive made from this very jar, whose time it bears: the JVM takes it with no other, not even with a copy. */
    private static @Nullable Path of(Path jar) {
        String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        Path archive = jar.resolveSibling(name + ".aot");
        try {
            return Files.isRegularFile(archive) && seconds(archive) == seconds(jar) ? archive : null;
        } catch (IOException e) {
            return null; // as good as none
        }
    }

    private static long seconds(Path file) throws IOException {
        return Files.getLastModifiedTime(file).to(TimeUnit.SECONDS);
    }
}
