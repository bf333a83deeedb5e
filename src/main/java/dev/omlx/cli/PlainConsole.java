package dev.omlx.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/** A chat whose lines come from a file or another program. Only answers are written to the output. */
final class PlainConsole implements ChatConsole {
    private final Streams streams;
    private final BufferedReader input;
    private final boolean notes;

    /** @param notes whether somebody reads what is written to the error stream beside errors */
    PlainConsole(Streams streams, boolean notes) {
        this.streams = streams;
        this.input = new BufferedReader(new InputStreamReader(streams.in(), StandardCharsets.UTF_8));
        this.notes = notes;
    }

    @Override
    public Optional<String> readLine() {
        try {
            return Optional.ofNullable(input.readLine());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void write(String text) {
        streams.out().print(text);
        streams.requireWritten();
    }

    @Override
    public void newLine() {
        streams.out().println();
    }

    @Override
    public void note(String text) {
        if (notes) {
            streams.err().println(text);
        }
    }

    @Override
    public void error(String text) {
        streams.err().println(OmlxCommand.NAME + ": " + text);
    }

    /** Here an interrupt still ends the program, as it does any other filter. */
    @Override
    public <T> T interruptibly(Supplier<T> work, Runnable onInterrupt) {
        return work.get();
    }

    @Override
    public void close() {}
}
