package dev.omlx.text;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The vocabulary in the metadata of a GGUF file.
 *
 * @param name what messages call the file
 * @param model {@code gpt2} for byte-level BPE, {@code llama} for SentencePiece
 * @param pre how text is split before merging; byte-level BPE only
 * @param tokenTypes one per token, see {@link #NORMAL} and its like; empty if all are normal
 * @param scores one per token; SentencePiece only
 * @param merges pairs with a space between, best first; byte-level BPE only
 */
public record GgufVocabulary(
        String name,
        String model,
        @Nullable String pre,
        List<String> tokens,
        int[] tokenTypes,
        float[] scores,
        List<String> merges,
        Ids ids,
        Flags flags,
        @Nullable String chatTemplate) {

    static final int NORMAL = 1;
    static final int UNKNOWN = 2;
    static final int CONTROL = 3;
    static final int USER_DEFINED = 4;
    static final int UNUSED = 5;
    static final int BYTE = 6;

    /** Names of tokens that end a turn, for files that name only the end of a document. */
    private static final Set<String> TURN_ENDS =
            Set.of("<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<turn|>");

    /** Ids of tokens with a part to play. */
    public record Ids(
            OptionalInt bos, OptionalInt eos, OptionalInt endOfTurn, OptionalInt unknown, OptionalInt padding) {}

    /** What the file says of framing and spaces; empty where it leaves it to the kind of vocabulary. */
    public record Flags(Optional<Boolean> addBos, Optional<Boolean> addEos, Optional<Boolean> addSpacePrefix) {}

    /**
     * Reads the {@code tokenizer.*} keys.
     *
     * @param name what messages call the file
     * @throws TextException if there is no vocabulary or it is broken
     */
    public static GgufVocabulary of(String name, GgufSource source) {
        String keys = "tokenizer.ggml.";
        return new GgufVocabulary(
                name,
                source.findString(keys + "model")
                        .orElseThrow(() -> new TextException(
                                TextException.Kind.TOKENIZER_MISSING,
                                name + ": has no tokenizer (tokenizer.ggml.model)")),
                source.findString(keys + "pre").orElse(null),
                source.findStrings(keys + "tokens").orElse(List.of()),
                source.findInts(keys + "token_type").orElse(new int[0]),
                source.findFloats(keys + "scores").orElse(new float[0]),
                source.findStrings(keys + "merges").orElse(List.of()),
                new Ids(
                        source.findInt(keys + "bos_token_id"),
                        source.findInt(keys + "eos_token_id"),
                        source.findInt(keys + "eot_token_id"),
                        source.findInt(keys + "unknown_token_id"),
                        source.findInt(keys + "padding_token_id")),
                new Flags(
                        source.findFlag(keys + "add_bos_token"),
                        source.findFlag(keys + "add_eos_token"),
                        source.findFlag(keys + "add_space_prefix")),
                source.findString("tokenizer.chat_template").orElse(null));
    }

    public GgufVocabulary {
        if (tokens.isEmpty()) {
            throw TextException.broken(name, "the vocabulary (tokenizer.ggml.tokens) is empty");
        }
        if (tokenTypes.length != 0 && tokenTypes.length != tokens.size()) {
            throw TextException.broken(
                    name,
                    tokenTypes.length + " token types (tokenizer.ggml.token_type) for " + tokens.size() + " tokens");
        }
        check(name, "bos", ids.bos, tokens);
        check(name, "eos", ids.eos, tokens);
        check(name, "eot", ids.endOfTurn, tokens);
        check(name, "unknown", ids.unknown, tokens);
        check(name, "padding", ids.padding, tokens);
    }

    int type(int id) {
        return tokenTypes.length == 0 ? NORMAL : tokenTypes[id];
    }

    /** The ids that end an answer. */
    Set<Integer> endIds() {
        Set<Integer> ends = new LinkedHashSet<>();
        ids.eos.ifPresent(ends::add);
        ids.endOfTurn.ifPresent(ends::add);
        for (int id = 0; id < tokens.size(); id++) {
            if ((type(id) == CONTROL || type(id) == USER_DEFINED) && TURN_ENDS.contains(tokens.get(id))) {
                ends.add(id);
            }
        }
        return ends;
    }

    /** The texts that templates know as {@code bos_token} and so on. */
    Map<String, String> namedTokens() {
        Map<String, String> named = new LinkedHashMap<>();
        ids.bos.ifPresent(id -> named.put("bos_token", tokens.get(id)));
        ids.eos.ifPresent(id -> named.put("eos_token", tokens.get(id)));
        ids.unknown.ifPresent(id -> named.put("unk_token", tokens.get(id)));
        ids.padding.ifPresent(id -> named.put("pad_token", tokens.get(id)));
        return named;
    }

    private static void check(String name, String what, OptionalInt id, List<String> tokens) {
        if (id.isPresent() && (id.getAsInt() < 0 || id.getAsInt() >= tokens.size())) {
            throw TextException.broken(
                    name, what + "_token_id " + id.getAsInt() + " is not in the vocabulary of " + tokens.size());
        }
    }
}
