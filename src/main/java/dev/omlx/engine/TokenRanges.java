package dev.omlx.engine;

import dev.omlx.engine.api.TokenLogprob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which part of an answer each token wrote, until it is known what that part is. */
final class TokenRanges {
    private final Deque<Token> tokens = new ArrayDeque<>();
    private final Deque<Token> specials = new ArrayDeque<>();
    private int end;

    /**
     * A token.
     *
     * @param start where in the answer its text begins
     * @param end where it ends; the start where it ends within a character
     * @param text what it wrote
     * @param special whether its text is for parsers, and not for users
     */
    record Token(
            int start,
            int end,
            String text,
            boolean special,
            @Nullable TokenLogprob logprob) {}

    /** The next token wrote that. */
    void add(String text, boolean special, @Nullable TokenLogprob logprob) {
        Token token = new Token(end, end + text.length(), text, special, logprob);
        end = token.end;
        tokens.add(token);
        if (special) {
            specials.add(token);
        }
    }

    /** Takes out the tokens that wrote a part of the answer, and drops those before. A token belongs to one part. */
    List<Token> take(int from, int to) {
        List<Token> taken = new ArrayList<>();
        Token token;
        while ((token = tokens.peek()) != null && token.start < to) {
            tokens.remove();
            if (token.end > from || token.start >= from) {
                taken.add(token);
            }
        }
        return taken;
    }

    /** A part of the answer without special tokens. */
    String visible(int from, String part) {
        int to = from + part.length();
        StringBuilder visible = new StringBuilder();
        int copied = from;
        Token special;
        while ((special = specials.peek()) != null && special.start < to) {
            if (special.end > copied) {
                visible.append(part, copied - from, Math.max(copied, special.start) - from);
                copied = Math.min(special.end, to);
            }
            if (special.end > to) {
                break;
            }
            specials.remove();
        }
        return copied == from
                ? part
                : visible.append(part, copied - from, part.length()).toString();
    }
}
