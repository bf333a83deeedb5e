package dev.omlx.text;

import dev.omlx.files.RegularFiles;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Everything about the text of one model: its tokenizer and its chat templates. The owner closes it. Thread-safe.
 */
public final class ModelText implements AutoCloseable {

    private final String name;
    private final Tokenizer tokenizer;
    private final Map<String, String> templateSources;
    private final Map<String, String> namedTokens;

    private ModelText(
            String name, Tokenizer tokenizer, Map<String, String> templateSources, Map<String, String> namedTokens) {
        this.name = name;
        this.tokenizer = tokenizer;
        this.templateSources = templateSources;
        this.namedTokens = namedTokens;
    }

    /**
     * Reads the files of a model folder: {@code tokenizer.json}, and those beside it if they are there.
     *
     * @throws TextException if a file is missing, broken or of an unknown kind
     */
    public static ModelText of(Path directory) {
        Path file = directory.resolve("tokenizer.json");
        if (!RegularFiles.named(file)) {
            throw new TextException(
                    TextException.Kind.TOKENIZER_MISSING,
                    directory + ": has no tokenizer.json; other tokenizer files have to be converted to it first");
        }
        TokenizerSettings settings = TokenizerSettings.read(directory);
        String json = Json.text(file);
        TokenizerFile tokenizerFile = TokenizerFile.parse(file.toString(), json);
        Vocabulary vocabulary = tokenizerFile.vocabulary();
        Set<Integer> eosIds = new LinkedHashSet<>(settings.eosIds());
        idOf(vocabulary, settings, "eos_token").ifPresent(eosIds::add);
        DjlTokenizer.Ends ends = new DjlTokenizer.Ends(
                idOf(vocabulary, settings, "bos_token"), eosIds, Framing.of(tokenizerFile.postProcessor()));
        return new ModelText(
                directory.toString(),
                new DjlTokenizer(tokenizerFile, vocabulary, () -> Json.text(file), json, ends),
                TemplateSources.of(directory, settings.configuration()),
                settings.namedTokens());
    }

    /**
     * Takes the vocabulary and the template that a GGUF file carries.
     *
     * @throws TextException if the vocabulary is broken or of an unknown kind
     */
    public static ModelText of(GgufVocabulary gguf) {
        GgufDocument document = new GgufDocument(gguf);
        String json = document.json();
        DjlTokenizer.Ends ends = new DjlTokenizer.Ends(gguf.ids().bos(), gguf.endIds(), document.framing());
        TokenizerFile tokenizerFile = TokenizerFile.parse(gguf.name(), json);
        String template = gguf.chatTemplate();
        return new ModelText(
                gguf.name(),
                new DjlTokenizer(tokenizerFile, tokenizerFile.vocabulary(), document::json, json, ends),
                template == null ? Map.of() : Map.of(TemplateSources.DEFAULT, template),
                gguf.namedTokens());
    }

    public Tokenizer tokenizer() {
        return tokenizer;
    }

    /**
     * Compiles the model's chat templates. Not done when the model is read, because a model without a working template
     * can still complete text.
     *
     * @throws TextException if the model has none or one cannot be compiled
     */
    public ChatTemplate chatTemplate() {
        return new ChatTemplate(name, templateSources, namedTokens);
    }

    /** Whether the model brings a chat template. */
    public boolean hasChatTemplate() {
        return !templateSources.isEmpty();
    }

    @Override
    public void close() {
        tokenizer.close();
    }

    private static OptionalInt idOf(Vocabulary vocabulary, TokenizerSettings settings, String tokenName) {
        String text = settings.namedTokens().get(tokenName);
        return text == null ? OptionalInt.empty() : vocabulary.idOf(text);
    }
}
