package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RenderCommandTests {
    @TempDir
    private Path folder;

    @Test
    void rendersEachContext() throws IOException {
        Path template = write("{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}{{ extra }}");
        CommandRun run = new CommandRun("""
                [{"messages": [{"role": "user", "content": "é"}], "extra": {"b": 1, "a": [1.0, null, true]}},
                 {"messages": []}]
                """);

        assertThat(execute(run, "--template", template.toString())).isZero();
        assertThat(run.out())
                .isEqualTo("[{\"ok\":\"[user] \\u00E9\\n{'b': 1, 'a': [1.0, None, True]}\"},{\"ok\":\"\"}]"
                        + System.lineSeparator());
        assertThat(run.err()).isEmpty();
    }

    @Test
    void tellsWhatATemplateRefuses() throws IOException {
        Path template = write("{% if bad %}{{ raise_exception('no ' ~ bad) }}{% endif %}fine");
        CommandRun run = new CommandRun("[{\"bad\": \"tools\"}, {}]");

        assertThat(execute(run, "--template", template.toString())).isZero();
        assertThat(run.out())
                .startsWith("[{\"err\":\"no tools")
                .endsWith(",{\"ok\":\"fine\"}]" + System.lineSeparator());
    }

    @Test
    void tellsWhatIsWrongWithTheTemplate() throws IOException {
        Path template = write("fine\n{% if %}");
        CommandRun run = new CommandRun("[{}]");

        assertThat(execute(run, "--template", template.toString())).isZero();
        assertThat(run.out()).startsWith("[{\"err\":").contains("line 2");
    }

    @Test
    void fixesTheTime() throws IOException {
        Path template = write("{{ strftime_now('%d %b %Y') }}");
        CommandRun run = new CommandRun("[{}]");

        execute(run, "--template", template.toString(), "--now", "2026-01-02");
        assertThat(run.out()).isEqualTo("[{\"ok\":\"2026-01-02\"}]" + System.lineSeparator());
    }

    @Test
    void wantsObjects() throws IOException {
        CommandRun run = new CommandRun("[{}, []]");

        assertThat(execute(run, "--template", write("x").toString())).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("element 1 of the input is to be an object, and is of type array")
                .hasLineCount(1);
    }

    @Test
    void failsWithoutTheTemplate() {
        CommandRun run = new CommandRun("[{}]");

        assertThat(execute(run, "--template", folder.resolve("none.jinja").toString()))
                .isEqualTo(1);
        assertThat(run.err()).contains("no such file", "none.jinja").hasLineCount(1);
    }

    @Test
    void takesEitherAModelOrATemplate() throws IOException {
        CommandRun neither = new CommandRun("[{}]");
        assertThat(execute(neither)).isEqualTo(2);
        assertThat(neither.err()).contains("--model", "--template").hasLineCount(1);

        CommandRun both = new CommandRun("[{}]");
        assertThat(execute(both, "--model", "m", "--template", write("x").toString()))
                .isEqualTo(2);
        assertThat(both.err()).contains("--model", "--template").hasLineCount(1);
    }

    private Path write(String template) throws IOException {
        return Files.writeString(folder.resolve("chat.jinja"), template);
    }

    private static int execute(CommandRun run, String... arguments) {
        Models none = name -> {
            throw new EngineException.ModelNotFound(name);
        };
        return Cli.prepare(new CommandLine(new RenderCommand(run.streams(), none)), run.streams())
                .execute(arguments);
    }
}
