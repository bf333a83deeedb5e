package dev.omlx.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.parse.OutputParser;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.text.ModelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The tokens that are reported with a text are those of the text, byte by byte, wherever it ends. */
class AnswerTextTests {
    @TempDir
    private Path folder;

    /** Tokens are written a character a byte, and parted by bars. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a|bc; none; abc; a|bc",
                "a|\u00f0\u009f|\u0098; none; a; a",
                "a\u00f0\u009f; none; a; a",
                "a\u00f0\u009f|\u0098; none; a; a",
                "a\u00c3|\u00a9b|c; none; aébc; a\u00c3|\u00a9b|c",
                "He|lloST|OP; STOP; Hello; He|llo",
                "He|lloSTOP!|more; STOP; Hello; He|llo",
                "He|llo|S|T|OP; STOP; Hello; He|llo",
                "He|lloST|ART; STOP; HelloSTART; He|lloST|ART",
                "He|lloST; STOP; HelloST; He|lloST",
                "a|\u00f0\u009f|\u0098\u0080!; !; a😀; a|\u00f0\u009f|\u0098\u0080",
                "a|\u00f0\u009f|\u0098\u0080!; 😀; a; a",
                "a\u00f0\u009f|\u0098\u0080!; 😀; a; a",
                "a\u00c3|\u00a9b|c; b; aé; a\u00c3|\u00a9"
            })
    void reportsTheBytesOfTheText(String tokens, String stop, String text, String reported) throws IOException {
        List<String> all = List.of(tokens.split("\\|"));
        try (ModelText model = model(all)) {
            List<GenerationEvent.Delta> streamed = say(model, all, stop, true);
            List<GenerationEvent.Delta> whole = say(model, all, stop, false);

            for (List<GenerationEvent.Delta> deltas : List.of(streamed, whole)) {
                assertThat(textOf(deltas)).isEqualTo(text);
                assertThat(bytesOf(deltas)).containsExactly(reported.split("\\|"));
                assertThat(String.join("", bytesOf(deltas)).getBytes(ISO_8859_1))
                        .isEqualTo(text.getBytes(UTF_8));
            }
        }
    }

    private static List<GenerationEvent.Delta> say(ModelText model, List<String> tokens, String stop, boolean often) {
        List<String> stops = stop.equals("none") ? List.of() : List.of(stop);
        AnswerText answer =
                new AnswerText(0, model.tokenizer(), OutputParser.plain(), new AnswerText.Wanted(stops, false, 0));
        List<GenerationEvent> events = new ArrayList<>();
        for (int id = 0; id < tokens.size(); id++) {
            answer.add(id, new RowLogprobs(-0.5f, List.of()));
            if (often) {
                events.addAll(answer.take());
            }
        }
        events.addAll(answer.isOver() ? answer.take() : answer.end());
        return events.stream().map(GenerationEvent.Delta.class::cast).toList();
    }

    private static String textOf(List<GenerationEvent.Delta> deltas) {
        return String.join("", deltas.stream().map(GenerationEvent.Delta::text).toList());
    }

    private static List<String> bytesOf(List<GenerationEvent.Delta> deltas) {
        return deltas.stream()
                .flatMap(delta -> delta.tokens().stream())
                .map(TokenLogprob::bytes)
                .map(bytes -> new String(bytes, ISO_8859_1))
                .toList();
    }

    /** A model whose tokens are these, in order. */
    private ModelText model(List<String> tokens) throws IOException {
        Map<String, Integer> vocabulary = new LinkedHashMap<>();
        tokens.forEach(token -> vocabulary.put(byteLevel(token), vocabulary.size()));
        Map<String, Object> document = Map.of(
                "version",
                "1.0",
                "added_tokens",
                List.of(),
                "decoder",
                Map.of("type", "ByteLevel", "add_prefix_space", false, "trim_offsets", false, "use_regex", false),
                "model",
                Map.of("type", "BPE", "vocab", vocabulary, "merges", List.of()));
        Files.writeString(folder.resolve("tokenizer.json"), JsonMapper.shared().writeValueAsString(document));
        return ModelText.of(folder);
    }

    /** As vocabularies write bytes: those that cannot be seen stand for the characters from 256 on. */
    private static String byteLevel(String bytes) {
        StringBuilder written = new StringBuilder();
        for (char wanted : bytes.toCharArray()) {
            int hidden = 0;
            for (int b = 0; b < wanted; b++) {
                hidden += isSeen(b) ? 0 : 1;
            }
            written.append(isSeen(wanted) ? wanted : (char) (256 + hidden));
        }
        return written.toString();
    }

    private static boolean isSeen(int b) {
        return (b >= 33 && b <= 126) || (b >= 161 && b != 173);
    }
}
