package dev.omlx.cli;

import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import reactor.core.publisher.Mono;

/** Chats in the terminal, with an engine in this process. */
@Command(
        name = RunCommand.NAME,
        description = {
            "Chat with a model in the terminal.",
            "With a PROMPT, writes the answer to it and ends. Where the input is not a terminal, answers it line by line."
        })
final class RunCommand implements Callable<Integer> {
    static final String NAME = "run";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final SamplingFlags flags = new SamplingFlags();

    @Option(names = "--system", paramLabel = "TEXT", description = "What the model is told before the conversation.")
    private @Nullable String system;

    @Parameters(index = "0", arity = "0..1", paramLabel = "MODEL", description = ModelNames.DESCRIPTION)
    private @Nullable String model;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "PROMPT", description = "What to answer.")
    private List<String> prompt = new ArrayList<>();

    @Unmatched
    private List<String> unmatched = new ArrayList<>();

    private final Streams streams;
    private final EngineStarter starter;
    private final Terminals terminals;

    RunCommand(Streams streams, EngineStarter starter, Terminals terminals) {
        this.streams = streams;
        this.starter = starter;
        this.terminals = terminals;
    }

    @Override
    public Integer call() {
        List<String> settings = new ConfigurationOptions(
                        Objects.requireNonNull(spec).commandLine(), unmatched)
                .with("MODEL", ModelNames.DEFAULT_MODEL_KEY, model)
                .arguments();
        // before the model is loaded: a flag may be out of range
        SamplingOptions sampling = flags.sampling();
        StopConditions stop = flags.stop();
        try (EngineStarter.RunningEngine running = starter.start(settings, common.debug())) {
            Chat chat = new Chat(running.engine(), system, sampling, stop);
            if (!prompt.isEmpty()) {
                return answer(chat, String.join(" ", prompt));
            }
            return terminals.interactive() ? converse(chat) : answerLines(chat);
        }
    }

    private int answer(Chat chat, String text) {
        try (ChatConsole console = plainConsole()) {
            Answer answer = Answer.follow(chat.ask(text), console::write, Mono.never());
            console.newLine();
            answer.summary().ifPresent(console::note);
        }
        return Cli.OK;
    }

    private int answerLines(Chat chat) {
        try (ChatConsole console = plainConsole()) {
            return new ChatLoop(chat, console).run() ? Cli.OK : Cli.FAILED;
        }
    }

    private int converse(Chat chat) {
        try (ChatConsole console = TerminalConsole.ofSystem()) {
            console.note("/help tells what else can be typed here");
            new ChatLoop(chat, console).run();
        }
        return Cli.OK;
    }

    private ChatConsole plainConsole() {
        return new PlainConsole(streams, terminals.showsErrors());
    }
}
