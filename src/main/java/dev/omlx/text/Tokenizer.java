package dev.omlx.text;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Text to token ids and back, for the vocabulary of one model. Implementations are thread-safe. The owner closes it;
 * encoding afterwards throws {@link IllegalStateException}, what needs only the vocabulary keeps working.
 */
public interface Tokenizer extends AutoCloseable {

    /** Encodes plain text: what looks like a control token is spelled out with ordinary tokens. Adds nothing. */
    default int[] encode(String text) {
        return encodeSpelling(text, offset -> true);
    }

    /** Encodes trusted text such as a rendered chat template: control tokens are recognised. Adds nothing. */
    default int[] encodeWithSpecials(String text) {
        return encodeSpelling(text, offset -> false);
    }

    /**
     * Encodes text that is trusted in part. Everything else, such as merges across the borders, is as in {@link
     * #encodeWithSpecials}.
     *
     * @param spelled whether the {@linkplain AddedToken#control() control token} whose text starts at this offset is
     *     plain text
     */
    int[] encodeSpelling(String text, IntPredicate spelled);

    /**
     * Puts around the ids of a bare text what the model expects there, such as BOS or CLS and SEP; a prefix that is
     * there already is not repeated. Rendered chat templates bring their own and must not be framed.
     */
    int[] frame(int[] ids);

    /**
     * The text of the ids, exactly what a {@link Detokenizer} gives for them: bytes that are not UTF-8 become U+FFFD,
     * and a character that is cut off at the end is left out.
     *
     * @param skipSpecials whether special tokens are left out
     */
    String decode(int[] ids, boolean skipSpecials);

    /** A new detokeniser for one sequence of generated tokens; special tokens are left out. */
    Detokenizer detokenizer();

    /** One more than the largest id. A model's output layer may be padded beyond it. */
    int vocabularySize();

    /**
     * The bytes that the token adds to the text (a leading space included), possibly part of a character. Empty for an
     * id without a token.
     */
    byte[] tokenBytes(int id);

    /** The token as the vocabulary writes it, such as {@code Ġthe}; empty for an id without a token. */
    String tokenText(int id);

    boolean isSpecial(int id);

    /** The id of a token as the vocabulary writes it. */
    OptionalInt idOf(String tokenText);

    OptionalInt bosId();

    /** The ids that end an answer; empty if none is known. */
    Set<Integer> eosIds();

    List<AddedToken> addedTokens();

    @Override
    void close();
}
