package dev.omlx.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The three standard streams of a command. Text is UTF-8, whatever the locale says.
 *
 * @param out what was asked for, and nothing else
 * @param err all that is said about it
 */
record Streams(InputStream in, PrintStream out, PrintStream err) {
    /** The process's own. */
    static Streams standard() {
        return new Streams(System.in, utf8(FileDescriptor.out), utf8(FileDescriptor.err));
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /**
     * Requires that all of the output so far has been taken.
     *
     * @throws OutputLostException if not: its reader has left, or its disk is full
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
