package dev.omlx.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what a mistyped word was meant to be. */
final class Suggestions {
    private Suggestions() {}

    /** The known word that is nearest, if one is near: a third of its letters may differ. */
    static Optional<String> closest(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= Math.max(1, candidate.length() / 3))
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** The end of a sentence that names the nearest word; empty where none is near. */
    static String didYouMean(String word, Collection<String> known) {
        return closest(word, known)
                .map(meant -> ", did you mean '" + meant + "'?")
                .orElse("");
    }

    /** Levenshtein's distance, with a swap of neighbours counted once. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(cost[i - 1][j - 1] + change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
