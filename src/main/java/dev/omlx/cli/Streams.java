package dev.omlx.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The three standard streams of a command. Text is UTF-8, whatever the locale says.
 *
 * @param out what was asked for, and nothing else
 * @param err all that is said about it
 */
record Streams(InputStream in, PrintStream out, PrintStream err) {
    private static final Path DESCRIPTOR_OF_INPUT = Path.of("/dev/fd/0");
    private static final Path FIRST_FILE_OF_JVM = Path.of(System.getProperty("java.home"), "lib", "modules");

    /** The process's own. An input that is closed is an empty one; writing to a closed output fails. */
    static Streams standard() {
        InputStream in = isInputClosed() ? InputStream.nullInputStream() : System.in;
        return new Streams(in, utf8(FileDescriptor.out), utf8(FileDescriptor.err));
    }

    /**
     * The descriptor of a closed input goes to the first file that the JVM opens and keeps, and reading or closing that
     * crashes the JVM. Those of closed outputs go to its next files, which can only be read, so nothing harms them.
     */
    private static boolean isInputClosed() {
        try {
            return Files.isSameFile(DESCRIPTOR_OF_INPUT, FIRST_FILE_OF_JVM);
        } catch (IOException noDescriptorsShown) {
            return false;
        }
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /**
     * Requires that all of the output so far has been taken.
     *
     * @throws OutputLostException if not: it is closed, its reader has left, or its disk is full
     */
    void requireWritten() {
        if (out.checkError()) {
            throw new OutputLostException();
        }
    }

    PrintWriter outWriter() {
        return new PrintWriter(out, true, StandardCharsets.UTF_8);
    }

    PrintWriter errWriter() {
        return new PrintWriter(err, true, StandardCharsets.UTF_8);
    }
}
