package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;

/** Python's {@code sorted}: stable, by {@code <} alone, so that values without a total order do no harm. */
final class Sorting {
    private Sorting() {}

    /**
     * The items in the order of their keys.
     *
     * @param keys one for each item
     * @param reverse whether the greatest comes first; equal ones keep their order all the same
     */
    static <T> List<T> sorted(List<T> items, List<Value> keys, boolean reverse, Budget budget) {
        int[] order = new int[items.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        mergeSort(order, new int[order.length], 0, order.length, keys, reverse, budget);
        List<T> sorted = new ArrayList<>(order.length);
        for (int index : order) {
            sorted.add(items.get(index));
        }
        return sorted;
    }

    private static void mergeSort(
            int[] order, int[] spare, int from, int to, List<Value> keys, boolean reverse, Budget budget) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        mergeSort(order, spare, from, middle, keys, reverse, budget);
        mergeSort(order, spare, middle, to, keys, reverse, budget);
        System.arraycopy(order, from, spare, from, to - from);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeRight = left == middle
                    || (right < to && precedes(keys.get(spare[right]), keys.get(spare[left]), reverse, budget));
            order[i] = takeRight ? spare[right++] : spare[left++];
        }
    }

    private static boolean precedes(Value a, Value b, boolean reverse, Budget budget) {
        budget.step();
        return reverse ? Comparison.less(b, a, budget) : Comparison.less(a, b, budget);
    }
}
