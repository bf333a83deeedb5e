package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.ScriptedEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chats by typing the keys and reading the screen. */
class TerminalChatTests {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";

    private final ScriptedEngine engine = new ScriptedEngine();
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final PipedOutputStream keys = new PipedOutputStream();
    private Terminal terminal;
    private Thread loop;

    @BeforeEach
    void begin() throws IOException {
        terminal =
                new ExternalTerminal("test", "xterm", new PipedInputStream(keys, 4096), screen, StandardCharsets.UTF_8);
        Chat chat = new Chat(engine, null, SamplingOptions.DEFAULT, StopConditions.NONE);
        TerminalConsole console = new TerminalConsole(terminal);
        loop = new Thread(() -> new ChatLoop(chat, console).run(), "chat");
        loop.start();
        awaitPrompts(1);
    }

    @AfterEach
    void end() throws Exception {
        type(CTRL_D);
        loop.join(PATIENCE);
        assertThat(loop.isAlive()).isFalse();
        terminal.close();
    }

    @Test
    void showsTheAnswerAndItsSpeedAndPromptsAgain() throws IOException {
        type("hi\r");

        awaitPrompts(2);
        assertThat(screen()).contains("Hello world", "2 tokens", "tokens/s", "first after 2 ms");
    }

    @Test
    void showsAnAnswerWhileItIsMade() throws IOException {
        engine.play(Script.empty().start().say("so far").hang());
        type("hi\r");

        awaitScreen("so far");
        assertThat(engine.running()).isEqualTo(1);
        interruptAnswer();
    }

    @Test
    void ctrlCStopsTheAnswerAndKeepsWhatCame() throws IOException {
        engine.play(Script.empty().start().say("so far").hang());
        type("hi\r");
        awaitScreen("so far");

        interruptAnswer();
        assertThat(engine.isCancelled(engine.lastRequest())).isTrue();
        assertThat(screen()).contains("stopped");

        engine.play(Script.answer("done"));
        type("again\r");
        awaitPrompts(3);
        assertThat(((Prompt.Chat) engine.lastRequest().prompt()).messages())
                .containsExactly(ChatMessage.user("hi"), ChatMessage.assistant("so far"), ChatMessage.user("again"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001bOA", "\u001b[A"})
    void bringsBackTheLineTypedBefore(String up) throws IOException {
        type("hi there\r");
        awaitPrompts(2);
        type(up + "!\r");
        awaitPrompts(3);

        assertThat(((Prompt.Chat) engine.lastRequest().prompt()).messages().getLast())
                .isEqualTo(ChatMessage.user("hi there!"));
    }

    @Test
    void leavesOnTheSecondCtrlCInARow() throws Exception {
        type(CTRL_C);
        awaitScreen("Ctrl-C again");
        awaitPrompts(2);
        assertThat(loop.isAlive()).isTrue();

        type(CTRL_C);
        loop.join(PATIENCE);
        assertThat(loop.isAlive()).isFalse();
    }

    @Test
    void ctrlCOnAHalfTypedLineOnlyDropsTheLine() throws Exception {
        // the echo shows that the line is being read, and Ctrl-C means that line
        type("half");
        awaitScreen("half");
        type(CTRL_C);
        awaitPrompts(2);
        type("more");
        awaitScreen("more");
        type(CTRL_C);
        awaitPrompts(3);

        assertThat(loop.isAlive()).isTrue();
        assertThat(engine.requests()).isEmpty();
    }

    @Test
    void leavesByCommand() throws Exception {
        type("/exit\r");

        loop.join(PATIENCE);
        assertThat(loop.isAlive()).isFalse();
    }

    @Test
    void helpsAndCorrectsCommandsWithoutAskingTheModel() throws IOException {
        type("/help\r");
        awaitPrompts(2);
        assertThat(screen()).contains("/reset", "/exit");

        type("/rest\r");
        awaitScreen("did you mean '/reset'?");
        assertThat(engine.requests()).isEmpty();
    }

    private void interruptAnswer() {
        int prompts = prompts();
        terminal.raise(Signal.INT);
        awaitPrompts(prompts + 1);
    }

    private void type(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    private String screen() {
        return screen.toString(StandardCharsets.UTF_8);
    }

    private int prompts() {
        return screen().split(TerminalConsole.PROMPT.strip(), -1).length - 1;
    }

    private void awaitPrompts(int count) {
        await().atMost(PATIENCE).until(() -> prompts() >= count);
    }

    private void awaitScreen(String text) {
        await().atMost(PATIENCE).until(() -> screen().contains(text));
    }
}
