package dev.omlx.engine;

import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.text.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an answer begins with where the prompt is to be repeated: its text, and its tokens where log-probabilities are
 * wanted, once all of these are there. Used by one thread at a time.
 */
final class PromptEcho {
    private final TokenLogprobs logprobs;
    private final int[] prompt;
    private final String text;
    private final boolean scored;
    private final byte[] utf8;

    private final List<TokenLogprob> tokens = new ArrayList<>();
    private int place;
    private boolean taken;

    private PromptEcho(TokenLogprobs logprobs, int[] prompt, String text, boolean scored) {
        this.logprobs = logprobs;
        this.prompt = prompt;
        this.text = text;
        this.scored = scored;
        this.utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (scored) {
            add(new RowLogprobs(Float.NaN, List.of()));
        }
    }

    /**
     * Repeats a text as it was given, and tokens as the text that they stand for, special ones included.
     *
     * @param prompt the ids that the prompt was encoded to
     * @param topLogprobs likeliest tokens to report; negative reports no log-probabilities
     */
    static PromptEcho of(Prompt given, int[] prompt, Tokenizer tokenizer, int topLogprobs) {
        String text = given instanceof Prompt.Text plain ? plain.text() : tokenizer.decode(prompt, false);
        return new PromptEcho(new TokenLogprobs(tokenizer, topLogprobs), prompt, text, topLogprobs >= 0);
    }

    /** Takes the next token's log-probability. */
    void add(RowLogprobs row) {
        int id = prompt[tokens.size()];
        TokenLogprob token = logprobs.of(id, row);
        byte[] shown = inText(logprobs.tokenizer().tokenBytes(id));
        place += shown.length;
        tokens.add(new TokenLogprob(id, token.token(), shown, token.logprob(), token.top()));
    }

    /**
     * What the token adds to the text. A token that was put before the text, such as BOS, adds nothing, and the space
     * that some vocabularies put there is not in it either.
     */
    private byte[] inText(byte[] bytes) {
        if (isNext(bytes, 0)) {
            return bytes;
        }
        boolean spaced = place == 0 && bytes.length > 0 && bytes[0] == ' ' && isNext(bytes, 1);
        return spaced ? Arrays.copyOfRange(bytes, 1, bytes.length) : new byte[0];
    }

    private boolean isNext(byte[] bytes, int from) {
        int length = bytes.length - from;
        return place + length <= utf8.length && Arrays.equals(bytes, from, bytes.length, utf8, place, place + length);
    }

    /** The first delta of an answer, once it is whole; null before that and afterwards. */
    GenerationEvent.@Nullable Delta take(int choice) {
        boolean whole = !scored || tokens.size() == prompt.length;
        if (!whole || taken) {
            return null;
        }
        taken = true;
        return new GenerationEvent.Delta(choice, text, tokens);
    }
}
