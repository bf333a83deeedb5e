package dev.omlx.cli;

import java.util.Optional;
import java.util.function.Supplier;

/** Where a chat's user types and reads. */
interface ChatConsole extends AutoCloseable {
    /** Waits for the user's next line; empty when the user wants to leave or the input has ended. */
    Optional<String> readLine();

    /** Shows more of an answer, at once. */
    void write(String text);

    /** Ends a line of an answer. */
    void newLine();

    /** Tells something beside the conversation. */
    void note(String text);

    /** Tells that something went wrong. */
    void error(String text);

    /**
     * Does some work during which an interrupt (Ctrl-C) does not end the program.
     *
     * @param onInterrupt what it does instead, on any thread
     */
    <T> T interruptibly(Supplier<T> work, Runnable onInterrupt);

    @Override
    void close();
}
