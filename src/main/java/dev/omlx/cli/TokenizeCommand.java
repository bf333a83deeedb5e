package dev.omlx.cli;

import dev.omlx.engine.ModelTexts;
import dev.omlx.text.ModelText;
import dev.omlx.text.Tokenizer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows what a model's tokenizer makes of texts. */
@Command(
        name = TokenizeCommand.NAME,
        description = "Turn a JSON array of texts on the input into an array of arrays of token ids.")
final class TokenizeCommand implements Callable<Integer> {
    static final String NAME = "tokenize";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private final CommonOptions common = new CommonOptions();

    @Option(names = "--model", required = true, paramLabel = "MODEL", description = ModelNames.DESCRIPTION)
    private String model = "";

    @Option(names = "--special", description = "Take the text of special tokens as those tokens, not as plain text.")
    private boolean special;

    @Option(names = "--decode", description = "The way back: from token ids to text, special tokens included.")
    private boolean decode;

    private final Streams streams;
    private final Models models;

    TokenizeCommand(Streams streams, Models models) {
        this.streams = streams;
        this.models = models;
    }

    @Override
    public Integer call() {
        List<JsonNode> input = Json.readArray(streams, decode ? "arrays of token ids" : "texts");
        try (ModelText text = ModelTexts.read(models.find(model))) {
            Tokenizer tokenizer = text.tokenizer();
            Json.write(streams, decode ? decoded(input, tokenizer) : encoded(input, tokenizer));
        }
        return Cli.OK;
    }

    private List<int[]> encoded(List<JsonNode> input, Tokenizer tokenizer) {
        return Json.map(input, Json::string).stream()
                .map(text -> special ? tokenizer.encodeWithSpecials(text) : tokenizer.encode(text))
                .toList();
    }

    private static List<String> decoded(List<JsonNode> input, Tokenizer tokenizer) {
        int bound = tokenizer.vocabularySize();
        return Json.map(input, (node, place) -> Json.ids(node, place, bound)).stream()
                .map(ids -> tokenizer.decode(ids, false))
                .toList();
    }
}
