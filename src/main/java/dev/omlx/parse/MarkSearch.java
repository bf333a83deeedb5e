package dev.omlx.parse;

/** Looks for a mark in text that comes in pieces, wherever they are cut. */
final class MarkSearch {
    private final String mark;
    private int matched;

    MarkSearch(String mark) {
        this.mark = mark;
    }

    /** Takes the next character, and says whether it is the mark's last. */
    boolean found(char c) {
        if (matched == 0 && c != mark.charAt(0)) {
            return false;
        }
        matched = longestBeginning(mark.substring(0, matched) + c);
        if (matched < mark.length()) {
            return false;
        }
        matched = 0;
        return true;
    }

    /** How much of the mark the text ends with. */
    int matched() {
        return matched;
    }

    private int longestBeginning(String end) {
        int from = 0;
        while (!mark.startsWith(end.substring(from))) {
            from++;
        }
        return end.length() - from;
    }
}
