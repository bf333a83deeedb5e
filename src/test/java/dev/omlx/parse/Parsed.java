package dev.omlx.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What a parser made of an answer, whatever pieces it came in. */
record Parsed(String text, String reasoning, List<String> calls) {
    private static final DeclaredTools TOOLS = DeclaredTools.of(List.of(
            Declarations.tool("get_weather", """
                    {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"},
                     "days": {"type": "integer"}, "f": {"type": "number"}, "b": {"type": "boolean"},
                     "tags": {"type": "array"}, "o": {"type": "object"}, "z": {"type": ["string", "null"]}}}"""),
            Declarations.tool("get_time", "{}"),
            Declarations.tool("write", """
                    {"type": "object", "required": ["path", "text"],
                     "properties": {"path": {"type": "string"}, "text": {"type": "string"}}}""")));

    /** Parses it in one piece, and in random ones, which has to come to the same. */
    static Parsed of(OutputFormat format, String prompt, DeclaredTools tools, String answer) {
        Parsed whole = parse(format, prompt, tools, List.of(answer));
        List<String> chars = new ArrayList<>();
        for (char c : answer.toCharArray()) {
            chars.add(String.valueOf(c));
        }
        assertThat(parse(format, prompt, tools, chars)).as("char by char").isEqualTo(whole);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 30; i++) {
            List<String> pieces = split(answer, random);
            assertThat(parse(format, prompt, tools, pieces))
                    .as("seed %d, pieces %s", seed, pieces)
                    .isEqualTo(whole);
        }
        return whole;
    }

    static Parsed of(ToolFormat format, String answer) {
        return of(new OutputFormat(ReasoningFormat.NONE, format), "", TOOLS, answer);
    }

    static Parsed of(OutputFormat format, String prompt, String answer) {
        return of(format, prompt, TOOLS, answer);
    }

    /** What comes out while the pieces go in, one string a piece, before the end. */
    static List<String> shownAsItComes(OutputFormat format, List<String> pieces) {
        OutputParser parser = format.parser("", TOOLS, new Random(1));
        List<String> shown = new ArrayList<>();
        for (String piece : pieces) {
            StringBuilder now = new StringBuilder();
            parser.feed(piece, part -> {
                if (part instanceof Piece.Text text) {
                    now.append(text.text());
                }
            });
            shown.add(now.toString());
        }
        return shown;
    }

    static List<String> split(String text, Random random) {
        List<String> pieces = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = Math.min(text.length(), at + 1 + random.nextInt(random.nextBoolean() ? 3 : 20));
            pieces.add(text.substring(at, end));
            at = end;
        }
        return pieces;
    }

    private static Parsed parse(OutputFormat format, String prompt, DeclaredTools tools, List<String> pieces) {
        String answer = String.join("", pieces);
        OutputParser parser = format.parser(prompt, tools, new Random(1));
        StringBuilder text = new StringBuilder();
        StringBuilder reasoning = new StringBuilder();
        List<String> calls = new ArrayList<>();
        int[] end = new int[1];
        Consumer<Piece> out = piece -> {
            switch (piece) {
                case Piece.Text part -> {
                    assertStands(answer, part.start(), part.text(), end);
                    text.append(part.text());
                }
                case Piece.Reasoning part -> {
                    assertStands(answer, part.start(), part.text(), end);
                    reasoning.append(part.text());
                }
                case Piece.ToolCall call -> {
                    assertThat(call.id()).isNotBlank();
                    assertThat(Json.read(call.arguments())).isNotNull();
                    calls.add(call.name() + " " + call.arguments());
                }
            }
        };
        pieces.forEach(piece -> parser.feed(piece, out));
        parser.finish(out);
        return new Parsed(text.toString(), reasoning.toString(), calls);
    }

    /** Text comes in order, as it stands in the answer. */
    private static void assertStands(String answer, int start, String text, int[] end) {
        assertThat(text).isNotEmpty();
        assertThat(start).isGreaterThanOrEqualTo(end[0]);
        assertThat(answer.substring(start, start + text.length())).isEqualTo(text);
        end[0] = start + text.length();
    }
}
