package dev.omlx.cli;

import dev.omlx.engine.api.EngineException;
import java.util.List;
import java.util.Optional;
import reactor.core.publisher.Sinks;

/** Reads a line, answers it, and again. */
final class ChatLoop {
    private static final String EXIT = "/exit";
    private static final String RESET = "/reset";
    private static final String HELP = "/help";
    private static final List<String> COMMANDS = List.of(EXIT, RESET, HELP);

    private final Chat chat;
    private final ChatConsole console;
    private boolean allAnswered = true;

    ChatLoop(Chat chat, ChatConsole console) {
        this.chat = chat;
        this.console = console;
    }

    /**
     * Ends when the user leaves.
     *
     * @return whether every line was answered
     */
    boolean run() {
        Optional<String> line = console.readLine();
        while (line.isPresent() && !line.get().strip().equals(EXIT)) {
            handle(line.get().strip());
            line = console.readLine();
        }
        return allAnswered;
    }

    private void handle(String line) {
        switch (line) {
            case "" -> {}
            case RESET -> {
                chat.reset();
                console.note("the conversation starts anew");
            }
            case HELP -> help();
            default -> {
                // other lines may begin with a slash too: a path is a fine prompt, a lone mistyped command is not
                if (line.matches("/\\w+")) {
                    console.note("unknown command " + line + Suggestions.didYouMean(line, COMMANDS));
                } else {
                    answer(line);
                }
            }
        }
    }

    private void help() {
        console.note(RESET + "  forget the conversation");
        console.note(EXIT + "   leave (also Ctrl-D)");
        console.note(HELP + "   this text");
        console.note("Ctrl-C stops an answer");
    }

    private void answer(String line) {
        Sinks.Empty<Void> stop = Sinks.empty();
        try {
            Answer answer = console.interruptibly(
                    () -> Answer.follow(chat.ask(line), console::write, stop.asMono()), stop::tryEmitEmpty);
            console.newLine();
            console.note(answer.summary().orElse("stopped"));
            if (!answer.text().isEmpty()) {
                chat.keep(line, answer.text());
            }
        } catch (EngineException failure) {
            allAnswered = false;
            console.newLine();
            console.error(Failures.describe(failure) + hint(failure));
        }
    }

    private static String hint(EngineException failure) {
        return failure instanceof EngineException.ContextLengthExceeded ? "; " + RESET + " makes room" : "";
    }
}
