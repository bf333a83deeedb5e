package dev.omlx.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Writes the vocabulary of a GGUF file as a {@code tokenizer.json}. */
final class GgufDocument {

    /** The sign for a space in SentencePiece vocabularies. */
    private static final String SPACE_SIGN = "▁";

    private final GgufVocabulary gguf;

    GgufDocument(GgufVocabulary gguf) {
        this.gguf = gguf;
    }

    /** @throws TextException if the kind of vocabulary is not known or the vocabulary is broken */
    String json() {
        return Json.MAPPER.writeValueAsString(document());
    }

    /** What stands around a bare text. */
    Framing framing() {
        boolean sentencePiece = gguf.model().equals("llama");
        boolean bosByDefault =
                sentencePiece || PreTokenizers.named(gguf.name(), gguf.pre()).addBos();
        return new Framing(
                gguf.flags().addBos().orElse(bosByDefault)
                        ? gguf.ids().bos().stream().toArray()
                        : new int[0],
                gguf.flags().addEos().orElse(false) ? gguf.ids().eos().stream().toArray() : new int[0]);
    }

    private Map<String, Object> document() {
        return switch (gguf.model()) {
            case "gpt2" -> byteLevel();
            case "llama" -> sentencePiece();
            default ->
                throw TextException.unsupported(
                        gguf.name(),
                        "vocabulary of model \"" + gguf.model()
                                + "\" (tokenizer.ggml.model) is not supported; known are gpt2 and llama");
        };
    }

    private Map<String, Object> byteLevel() {
        PreTokenizers.Scheme scheme = PreTokenizers.named(gguf.name(), gguf.pre());
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("type", "BPE");
        model.put("ignore_merges", scheme.wholeWords());
        model.put("vocab", ids(id -> true));
        model.put("merges", merges());
        boolean prefixSpace = gguf.flags().addSpacePrefix().orElse(false);
        return document(
                scheme.composed() ? Map.of("type", "NFC") : null,
                PreTokenizers.json(scheme, prefixSpace),
                Map.of("type", "ByteLevel", "add_prefix_space", false, "trim_offsets", true, "use_regex", false),
                model);
    }

    private Map<String, Object> sentencePiece() {
        if (gguf.scores().length != gguf.tokens().size()) {
            throw TextException.broken(
                    gguf.name(),
                    gguf.scores().length + " scores (tokenizer.ggml.scores) for "
                            + gguf.tokens().size() + " tokens");
        }
        boolean prefix = gguf.flags().addSpacePrefix().orElse(true);
        List<Map<String, Object>> normalizers = new ArrayList<>();
        List<Map<String, Object>> decoders = new ArrayList<>();
        if (prefix) {
            normalizers.add(Map.of("type", "Prepend", "prepend", SPACE_SIGN));
        }
        normalizers.add(Map.of("type", "Replace", "pattern", Map.of("String", " "), "content", SPACE_SIGN));
        decoders.add(Map.of("type", "Replace", "pattern", Map.of("String", SPACE_SIGN), "content", " "));
        decoders.add(Map.of("type", "ByteFallback"));
        decoders.add(Map.of("type", "Fuse"));
        if (prefix) {
            decoders.add(Map.of("type", "Strip", "content", " ", "start", 1, "stop", 0));
        }
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("type", "BPE");
        model.put("byte_fallback", true);
        model.put("fuse_unk", true);
        gguf.ids()
                .unknown()
                .ifPresent(id -> model.put("unk_token", gguf.tokens().get(id)));
        model.put("vocab", ids(id -> true));
        model.put(
                "merges",
                SentencePieceMerges.of(
                        ids(id ->
                                gguf.type(id) == GgufVocabulary.NORMAL || gguf.type(id) == GgufVocabulary.USER_DEFINED),
                        gguf.scores()));
        return document(
                Map.of("type", "Sequence", "normalizers", normalizers),
                null,
                Map.of("type", "Sequence", "decoders", decoders),
                model);
    }

    private Map<String, Object> document(
            @Nullable Object normalizer, @Nullable Object preTokenizer, Object decoder, Map<String, Object> model) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("version", "1.0");
        document.put("added_tokens", addedTokens());
        if (normalizer != null) {
            document.put("normalizer", normalizer);
        }
        if (preTokenizer != null) {
            document.put("pre_tokenizer", preTokenizer);
        }
        document.put("decoder", decoder);
        document.put("model", model);
        return document;
    }

    private List<Map<String, Object>> addedTokens() {
        List<Map<String, Object>> added = new ArrayList<>();
        for (int id = 0; id < gguf.tokens().size(); id++) {
            int type = gguf.type(id);
            boolean special = type == GgufVocabulary.CONTROL || type == GgufVocabulary.UNKNOWN;
            if ((special || type == GgufVocabulary.USER_DEFINED)
                    && !gguf.tokens().get(id).isEmpty()) {
                added.add(Map.of(
                        "id", id,
                        "content", gguf.tokens().get(id),
                        "special", special,
                        "single_word", false,
                        "lstrip", false,
                        "rstrip", false,
                        "normalized", false));
            }
        }
        return added;
    }

    /** Texts with their ids; of a text that occurs twice the first counts. */
    private Map<String, Integer> ids(IntPredicate wanted) {
        Map<String, Integer> ids = new LinkedHashMap<>();
        for (int id = 0; id < gguf.tokens().size(); id++) {
            if (wanted.test(id)) {
                ids.putIfAbsent(gguf.tokens().get(id), id);
            }
        }
        return ids;
    }

    private List<String> merges() {
        for (String merge : gguf.merges()) {
            if (merge.indexOf(' ') <= 0) {
                throw TextException.broken(gguf.name(), "\"" + merge + "\" (tokenizer.ggml.merges) is not a pair");
            }
        }
        return gguf.merges();
    }
}
