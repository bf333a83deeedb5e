package dev.omlx.text;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells where a control token could come to span the border of two texts. Immutable. */
final class TokenBorders {

    private final Set<String> beginnings = new HashSet<>();
    private final Set<String> endings = new HashSet<>();
    private final Set<Character> firsts = new HashSet<>();
    private final Set<Character> lasts = new HashSet<>();
    private int longest;

    TokenBorders(List<AddedToken> controlTokens) {
        for (AddedToken token : controlTokens) {
            String text = token.text();
            for (int cut = 1; cut < text.length(); cut++) {
                beginnings.add(text.substring(0, cut));
                endings.add(text.substring(cut));
            }
            firsts.add(text.charAt(0));
            lasts.add(text.charAt(text.length() - 1));
            longest = Math.max(longest, text.length() - 1);
        }
    }

    /** Whether text that follows could complete a control token that this text begins. */
    boolean openAtEnd(String text) {
        int end = text.length();
        for (int from = end - 1; from >= Math.max(0, end - longest); from--) {
            if (firsts.contains(text.charAt(from)) && beginnings.contains(text.substring(from))) {
                return true;
            }
        }
        return false;
    }

    /** Whether text that precedes could have begun a control token that this text completes. */
    boolean openAtStart(String text) {
        for (int to = 1; to <= Math.min(text.length(), longest); to++) {
            if (lasts.contains(text.charAt(to - 1)) && endings.contains(text.substring(0, to))) {
                return true;
            }
        }
        return false;
    }
}
