package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CliTests {
    private final CommandRun run = new CommandRun("");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    sevre                           | unknown command 'sevre', did you mean 'serve'?
                    serve --prot 9                  | unknown option '--prot', did you mean '--port'?
                    serve --modle=x                 | unknown option '--modle', did you mean '--model'?
                    serve --quite-unlike-any-other  | unknown option '--quite-unlike-any-other' (see
                    serve extra                     | unknown argument 'extra'
                    serve --port high               | 'high' is not an int
                    serve --port                    | Missing required parameter for option '--port'
                    serve --server.port             | write --server.port=VALUE
                    serve --omlx.server.cors-orgins=a | did you mean 'omlx.server.cors-origins'?
                    serve --omlx.nothing.like=it    | unknown key 'omlx.nothing.like' (see
                    """)
    void tellsAMistakeInOneLineWithExitCodeTwo(String arguments, String expected) {
        int code = Cli.execute(run.streams(), List.of(arguments.split(" ")));

        assertThat(code).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(expected).startsWith("omlx").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "mine.yml        | omlx: [                     | mine.yml: not well-formed at line 1",
                "mine.yml        | hello                       | mine.yml: holds no keys",
                "mine.yml        | omlx: 5                     | omlx (",
                "mine.yml        | omlx.home: [1]              | omlx.home[0] (",
                "mine.yml        | omlx.home: ${NO_SUCH_NAME}  | placeholder 'NO_SUCH_NAME'",
                "mine.yml        | omlx.native-library: /none  | omlx.native-library is /none, which is no folder",
                "mine.properties | spring.config.import=no.yml | no.yml: no such file"
            })
    void tellsWhatIsWrongWithTheConfigurationToo(String name, String content, String problem, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        int code = withProperty("spring.config.location", file.toUri().toString(), "list");

        assertThat(run.err()).startsWith("omlx: bad configuration: ").contains(problem);
        assertThat(run.err()).hasLineCount(1);
        assertThat(code).isEqualTo(2);
    }

    @Test
    void readsTheConfigurationInJsonToo() {
        int code = withProperty("spring.application.json", "{bad", "list");

        assertThat(run.err())
                .startsWith("omlx: bad configuration: SPRING_APPLICATION_JSON")
                .hasLineCount(1);
        assertThat(code).isEqualTo(2);
    }

    private int withProperty(String key, String value, String command) {
        System.setProperty(key, value);
        try {
            return Cli.execute(run.streams(), List.of(command));
        } finally {
            System.clearProperty(key);
        }
    }

    @Test
    void namesTheCommandWhoseHelpTellsMore() {
        Cli.execute(run.streams(), List.of("serve", "--prot", "9"));

        assertThat(run.err()).endsWith("(see omlx serve --help)" + System.lineSeparator());
    }

    @Test
    void servesWhereNoCommandIsNamed() {
        assertThat(Cli.withDefaultCommand()).containsExactly("serve");
        assertThat(Cli.withDefaultCommand("--port", "9")).containsExactly("serve", "--port", "9");
        assertThat(Cli.withDefaultCommand("--omlx.memory.max=1GB")).containsExactly("serve", "--omlx.memory.max=1GB");
        assertThat(Cli.withDefaultCommand("run", "m")).containsExactly("run", "m");
        assertThat(Cli.withDefaultCommand("--help")).containsExactly("--help");
        assertThat(Cli.withDefaultCommand("-V")).containsExactly("-V");
    }

    @Test
    void outputThatIsLostIsAFailure() {
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        });
        Streams streams = new Streams(run.streams().in(), full, run.streams().err());

        int code = Cli.execute(streams, List.of("--help"));

        assertThat(code).isEqualTo(1);
        assertThat(run.err()).startsWith("omlx: cannot write to the output").hasLineCount(1);
    }

    @Test
    void helpListsTheCommands() {
        int code = Cli.execute(run.streams(), List.of("--help"));

        assertThat(code).isZero();
        assertThat(run.out()).contains("serve", "run", "list", "doctor", "tokenize", "render", "logits");
        assertThat(run.err()).isEmpty();
    }
}
