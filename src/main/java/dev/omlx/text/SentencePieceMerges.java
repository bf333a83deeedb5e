package dev.omlx.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The merges that a SentencePiece BPE vocabulary implies: every way to join two pieces into a third, in the order of
 * the third's score, as the Hugging Face conversion of such vocabularies has them.
 */
final class SentencePieceMerges {

    private record Merge(String left, String right, float score, int leftLength, int rightLength) {}

    private SentencePieceMerges() {}

    /** @param ids the pieces that take part */
    static List<List<String>> of(Map<String, Integer> ids, float[] scores) {
        List<Merge> merges = new ArrayList<>();
        ids.forEach((piece, id) -> addSplits(piece, scores[id], ids, merges));
        merges.sort(Comparator.comparingDouble((Merge merge) -> -merge.score)
                .thenComparingInt(merge -> -merge.leftLength)
                .thenComparingInt(merge -> -merge.rightLength));
        return merges.stream().map(merge -> List.of(merge.left, merge.right)).toList();
    }

    private static void addSplits(String piece, float score, Map<String, Integer> ids, List<Merge> merges) {
        int first = merges.size();
        int length = piece.codePointCount(0, piece.length());
        for (int leftLength = 1; leftLength < length; leftLength++) {
            int cut = piece.offsetByCodePoints(0, leftLength);
            String left = piece.substring(0, cut);
            String right = piece.substring(cut);
            if (ids.containsKey(left) && ids.containsKey(right)) {
                merges.add(new Merge(left, right, score, leftLength, length - leftLength));
            }
        }
        merges.subList(first, merges.size())
                .sort(Comparator.comparing((Merge merge) -> ids.get(merge.left))
                        .thenComparing(merge -> ids.get(merge.right)));
    }
}
