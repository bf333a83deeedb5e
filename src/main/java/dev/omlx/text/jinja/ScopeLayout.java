package dev.omlx.text.jinja;

import java.util.List;

/**
 * The variables of one kind of scope. {@link Binder} fills it in before the template is used; afterwards it doesn't
 * change.
 */
final class ScopeLayout {
    /** How a slot starts: missing, or with a value from elsewhere, seen from the scope's parent. */
    record Initial(int slot, Place source) {}

    private int size;
    private List<Integer> missing = List.of();
    private List<Initial> copied = List.of();

    void fill(int slots, List<Integer> startMissing, List<Initial> startCopied) {
        size = slots;
        missing = List.copyOf(startMissing);
        copied = List.copyOf(startCopied);
    }

    int size() {
        return size;
    }

    /** Slots without a value at the start, parameters excepted. */
    List<Integer> missing() {
        return missing;
    }

    List<Initial> copied() {
        return copied;
    }
}
