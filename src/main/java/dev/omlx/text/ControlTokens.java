package dev.omlx.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Finds control tokens in text the way the tokenizer does: leftmost first, longest first. Immutable. */
final class ControlTokens {

    /** A control token recognised at an offset. */
    record Match(int start, AddedToken token) {
        int end() {
            return start + token.text().length();
        }
    }

    /** By the first two characters, longest first; all added tokens, since a longer one hides what is inside it. */
    private final Map<Integer, List<AddedToken>> byBeginning = new HashMap<>();

    private final boolean[] startsAscii = new boolean[128];
    private final List<AddedToken> control;

    ControlTokens(List<AddedToken> addedTokens) {
        control = addedTokens.stream().filter(AddedToken::control).toList();
        for (AddedToken token : addedTokens) {
            String text = token.text();
            char first = text.charAt(0);
            int beginning = text.length() == 1 ? first : beginning(first, text.charAt(1));
            byBeginning.computeIfAbsent(beginning, key -> new ArrayList<>()).add(token);
            if (first < 128) {
                startsAscii[first] = true;
            }
        }
        byBeginning
                .values()
                .forEach(list ->
                        list.sort(Comparator.comparingInt(token -> -token.text().length())));
    }

    List<AddedToken> all() {
        return control;
    }

    /**
     * The control tokens of the text that are recognised.
     *
     * @param spelled whether one that starts at the offset is plain text; asked only where one starts
     */
    List<Match> find(String text, IntPredicate spelled) {
        List<Match> matches = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            AddedToken token = longestAt(text, at);
            if (token == null || (token.control() && spelled.test(at))) {
                at++;
                continue;
            }
            if (token.control()) {
                matches.add(new Match(at, token));
            }
            at += token.text().length();
        }
        return matches;
    }

    /** The length of the longest control token at the offset, be it inside another token; 0 if there is none. */
    int lengthAt(String text, int at) {
        if (isNoStart(text.charAt(at))) {
            return 0;
        }
        for (AddedToken token : candidates(text, at)) {
            if (token.control() && text.startsWith(token.text(), at)) {
                return token.text().length();
            }
        }
        return 0;
    }

    private @Nullable AddedToken longestAt(String text, int at) {
        if (isNoStart(text.charAt(at))) {
            return null;
        }
        for (AddedToken token : candidates(text, at)) {
            if (text.startsWith(token.text(), at)
                    && (!token.singleWord()
                            || standsAlone(text, at, at + token.text().length()))) {
                return token;
            }
        }
        return null;
    }

    private boolean isNoStart(char c) {
        return c < 128 && !startsAscii[c];
    }

    private List<AddedToken> candidates(String text, int at) {
        char first = text.charAt(at);
        List<AddedToken> longer = at + 1 < text.length()
                ? byBeginning.getOrDefault(beginning(first, text.charAt(at + 1)), List.of())
                : List.of();
        return longer.isEmpty() ? byBeginning.getOrDefault((int) first, List.of()) : withSingle(longer, first);
    }

    private List<AddedToken> withSingle(List<AddedToken> longer, char first) {
        List<AddedToken> single = byBeginning.get((int) first);
        if (single == null) {
            return longer;
        }
        List<AddedToken> both = new ArrayList<>(longer);
        both.addAll(single);
        return both;
    }

    /** Never the same as a single character's key, because no token starts with a NUL. */
    private static int beginning(char first, char second) {
        return first << 16 | second;
    }

    private static boolean standsAlone(String text, int start, int end) {
        return (start == 0 || !isWordCharacter(text.codePointBefore(start)))
                && (end == text.length() || !isWordCharacter(text.codePointAt(end)));
    }

    private static boolean isWordCharacter(int c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
