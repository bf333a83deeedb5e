package dev.omlx.text;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A tokenizer that encodes with the Hugging Face library and decodes by its own reading of the vocabulary. A second
 * native tokenizer, in which control tokens are plain text, is made when a text first needs it.
 */
final class DjlTokenizer implements Tokenizer {

    /** What is known of the model beyond its vocabulary. */
    record Ends(OptionalInt bosId, Set<Integer> eosIds, Framing framing) {}

    private final String name;
    private final Supplier<String> document;
    private final Vocabulary vocabulary;
    private final List<AddedToken> addedTokens;
    private final ControlTokens controlTokens;
    private final Ends ends;
    private final NativeTokenizer tokenizer;
    private final ShadowDocument shadowDocument;
    private @Nullable NativeTokenizer shadow;
    private boolean closed;

    /** @param document gives the {@code tokenizer.json} again when it is needed a second time */
    DjlTokenizer(TokenizerFile file, Vocabulary vocabulary, Supplier<String> document, String json, Ends ends) {
        this.name = file.name();
        this.document = document;
        this.vocabulary = vocabulary;
        this.addedTokens = file.addedTokens();
        this.controlTokens = new ControlTokens(addedTokens);
        this.ends = ends;
        this.shadowDocument = new ShadowDocument(name, controlTokens.all());
        this.tokenizer = new NativeTokenizer(name, NativeHazards.check(file, json));
    }

    @Override
    public int[] encodeSpelling(String text, IntPredicate spelled) {
        String sound = Surrogates.replaceLone(text);
        boolean[] anySpelled = new boolean[1];
        List<ControlTokens.Match> matches = controlTokens.find(sound, offset -> {
            boolean plain = spelled.test(offset);
            anySpelled[0] |= plain;
            return plain;
        });
        return anySpelled[0] ? shadow().encode(withAliases(sound, matches)) : tokenizer.encode(sound);
    }

    @Override
    public int[] frame(int[] ids) {
        return ends.framing().around(ids);
    }

    @Override
    public String decode(int[] ids, boolean skipSpecials) {
        Detokenizer detokenizer = new Detokenizer(vocabulary, skipSpecials);
        for (int id : ids) {
            detokenizer.append(id);
        }
        return detokenizer.take();
    }

    @Override
    public Detokenizer detokenizer() {
        return new Detokenizer(vocabulary, true);
    }

    @Override
    public int vocabularySize() {
        return vocabulary.size();
    }

    @Override
    public byte[] tokenBytes(int id) {
        return vocabulary.bytesOf(id);
    }

    @Override
    public String tokenText(int id) {
        return vocabulary.text(id);
    }

    @Override
    public boolean isSpecial(int id) {
        return vocabulary.isSpecial(id);
    }

    @Override
    public OptionalInt idOf(String tokenText) {
        return vocabulary.idOf(tokenText);
    }

    @Override
    public OptionalInt bosId() {
        return ends.bosId();
    }

    @Override
    public Set<Integer> eosIds() {
        return ends.eosIds();
    }

    @Override
    public List<AddedToken> addedTokens() {
        return addedTokens;
    }

    @Override
    public synchronized void close() {
        closed = true;
        tokenizer.close();
        if (shadow != null) {
            shadow.close();
        }
    }

    private synchronized NativeTokenizer shadow() {
        if (closed) {
            throw new IllegalStateException("the tokenizer is closed");
        }
        NativeTokenizer made = shadow;
        if (made == null) {
            made = new NativeTokenizer(name, shadowDocument.rewrite(document.get()));
            shadow = made;
        }
        return made;
    }

    private String withAliases(String text, List<ControlTokens.Match> matches) {
        StringBuilder aliased = new StringBuilder(text.length() + 32 * matches.size());
        int at = 0;
        for (ControlTokens.Match match : matches) {
            aliased.append(text, at, match.start()).append(shadowDocument.alias(match.token()));
            at = match.end();
        }
        return aliased.append(text, at, text.length()).toString();
    }
}
