package dev.omlx.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** A chat in a terminal, with line editing and the lines typed before under the arrow keys. */
final class TerminalConsole implements ChatConsole {
    static final String PROMPT = "oMLX> ";

    private static final Size USUAL_SIZE = new Size(80, 24);

    /** What arrow keys send besides what the terminal's description says. */
    private static final Map<String, String> ANSI_ARROWS = Map.of(
            "\u001b[A", LineReader.UP_LINE_OR_HISTORY,
            "\u001b[B", LineReader.DOWN_LINE_OR_HISTORY,
            "\u001b[C", LineReader.FORWARD_CHAR,
            "\u001b[D", LineReader.BACKWARD_CHAR);

    private final Terminal terminal;
    private final LineReader reader;

    TerminalConsole(Terminal terminal) {
        this.terminal = terminal;
        this.reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName(OmlxCommand.NAME)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true) // an exclamation mark is one
                .build();
        KeyMap<Binding> keyMap = Objects.requireNonNull(reader.getKeyMaps().get(LineReader.MAIN));
        ANSI_ARROWS.forEach((keys, widget) -> keyMap.bind(new Reference(widget), keys));
        terminal.handle(Signal.INT, Terminal.SignalHandler.SIG_IGN);
    }

    /** On the terminal that started the process. */
    static TerminalConsole ofSystem() {
        try {
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .encoding(StandardCharsets.UTF_8)
                    .build();
            if (terminal.getWidth() == 0) {
                terminal.setSize(USUAL_SIZE); // a terminal that a program made need not say how large it is
            }
            return new TerminalConsole(terminal);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public Optional<String> readLine() {
        boolean interrupted = false;
        while (true) {
            try {
                return Optional.of(reader.readLine(PROMPT));
            } catch (EndOfFileException end) {
                return Optional.empty();
            } catch (UserInterruptException interrupt) {
                if (interrupted) {
                    return Optional.empty();
                }
                interrupted = interrupt.getPartialLine().isEmpty();
                if (interrupted) {
                    note("Ctrl-C again, or Ctrl-D, to leave");
                }
            }
        }
    }

    @Override
    public void write(String text) {
        terminal.writer().print(text);
        terminal.flush();
    }

    @Override
    public void newLine() {
        terminal.writer().println();
        terminal.flush();
    }

    @Override
    public void note(String text) {
        styled(text, AttributedStyle.DEFAULT.faint());
    }

    @Override
    public void error(String text) {
        styled(text, AttributedStyle.DEFAULT.foreground(AttributedStyle.RED));
    }

    @Override
    public <T> T interruptibly(Supplier<T> work, Runnable onInterrupt) {
        Terminal.SignalHandler before = terminal.handle(Signal.INT, signal -> onInterrupt.run());
        try {
            return work.get();
        } finally {
            terminal.handle(Signal.INT, before);
        }
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void styled(String text, AttributedStyle style) {
        new AttributedStringBuilder().styled(style, text).toAttributedString().println(terminal);
        terminal.flush();
    }
}
