package dev.omlx.engine;

import dev.omlx.engine.api.TokenLogprob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The tokens behind an answer's text, held back until what they wrote is shown: their bytes, joined, are the text's.
 * Places are counted in characters of the text, without special tokens.
 */
final class TextTokens {
    private final Deque<Entry> entries = new ArrayDeque<>();
    private int end;
    private int shown;

    /** @param text what the token wrote, from {@code start} to {@code end} */
    private record Entry(TokenLogprob token, String text, int start, int end) {
        /** Whether all that it wrote is shown, and the character too that it began and others ended. */
        boolean isShown(int shown) {
            int last = unfinished(token.bytes()) > 0 ? end + 1 : end;
            return start < shown && last <= shown;
        }
    }

    /**
     * The text goes on with a part of the answer.
     *
     * @param from where in the answer the part begins
     * @param length of the part
     * @param visible how much of it is not special tokens
     * @param tokens those that wrote it; those without a log-probability are not reported
     */
    void add(int from, int length, int visible, List<TokenRanges.Token> tokens) {
        int at = from;
        int place = end;
        for (TokenRanges.Token token : tokens) {
            // what a token before wrote, which belongs to the part before
            place += Math.max(0, token.start() - at);
            at = Math.max(at, token.start());
            int width = token.special() ? 0 : Math.max(0, token.end() - at);
            TokenLogprob logprob = token.logprob();
            if (logprob != null) {
                entries.add(new Entry(logprob, token.text(), place, place + width));
            }
            place += width;
            at = Math.max(at, Math.min(token.end(), from + length));
        }
        end += visible;
    }

    /** So many further characters are shown. */
    void show(int characters) {
        shown += characters;
    }

    /** Takes out the first ones, all of whose text is shown. */
    List<TokenLogprob> takeShown() {
        List<TokenLogprob> taken = new ArrayList<>();
        Entry first;
        while ((first = entries.peek()) != null && first.isShown(shown)) {
            taken.add(entries.remove().token);
        }
        return taken;
    }

    /** Takes out all, where no more of the text will be shown: less those, and that part of the last, that never were. */
    List<TokenLogprob> takeRest() {
        entries.removeIf(entry -> entry.start >= shown && entry.token.bytes().length > 0);
        Entry last = entries.pollLast();
        List<TokenLogprob> taken =
                new ArrayList<>(entries.stream().map(Entry::token).toList());
        entries.clear();
        if (last != null) {
            taken.add(cut(last));
        }
        end = shown;
        return taken;
    }

    private TokenLogprob cut(Entry entry) {
        byte[] bytes = entry.token.bytes();
        int hidden = Math.clamp(entry.end - shown, 0, entry.text.length());
        String dropped = entry.text.substring(entry.text.length() - hidden);
        int kept = bytes.length - dropped.getBytes(StandardCharsets.UTF_8).length - unfinished(bytes);
        return kept == bytes.length ? entry.token : first(entry.token, entry.token.id(), Math.max(0, kept));
    }

    /** The first bytes of the token, and of itself among the likeliest ones. */
    private static TokenLogprob first(TokenLogprob token, int id, int length) {
        if (token.id() != id) {
            return token;
        }
        byte[] bytes = Arrays.copyOf(token.bytes(), Math.min(length, token.bytes().length));
        List<TokenLogprob> top =
                token.top().stream().map(likely -> first(likely, id, length)).toList();
        return new TokenLogprob(id, new String(bytes, StandardCharsets.UTF_8), bytes, token.logprob(), top);
    }

    /** How many bytes at the end are the beginning of a character. */
    private static int unfinished(byte[] bytes) {
        for (int n = 1; n <= Math.min(3, bytes.length); n++) {
            int lead = Byte.toUnsignedInt(bytes[bytes.length - n]);
            if ((lead & 0xC0) != 0x80) {
                int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
                return length > n ? n : 0;
            }
        }
        return 0;
    }
}
