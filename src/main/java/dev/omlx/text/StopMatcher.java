package dev.omlx.text;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds stop strings in text that arrives in pieces, whatever the pieces are. Text that could still turn out to be the
 * beginning of a stop is held back. The match that is complete first wins, so that generation can end with that very
 * token; of two that are complete with the same character, the one that began earlier, which is the longer one. Not
 * thread-safe; one per sequence.
 */
public final class StopMatcher {

    /**
     * What one piece of text led to.
     *
     * @param text what may be shown now, never part of a stop
     * @param stop the stop string that was found; the sequence is then over
     */
    public record Result(String text, @Nullable String stop) {}

    /** A state of the automaton of Aho and Corasick: the longest suffix of the text that begins some stop. */
    private static final class Node {
        final Map<Character, Node> next = new HashMap<>();
        final int depth;

        @Nullable
        Node fallback;

        @Nullable
        String stop;

        Node(int depth) {
            this.depth = depth;
        }
    }

    private final Node root = new Node(0);
    private final StringBuilder held = new StringBuilder();
    private Node state = root;
    private boolean over;

    /**
     * A matcher for one sequence.
     *
     * @param stops none of them empty; no stops at all are fine
     */
    public StopMatcher(List<String> stops) {
        for (String stop : stops) {
            if (stop.isEmpty()) {
                throw new IllegalArgumentException("a stop string must not be empty");
            }
            insert(stop);
        }
        link();
    }

    /** Takes the next piece of text. After a match nothing may follow. */
    public Result feed(String text) {
        if (over) {
            throw new IllegalStateException("the sequence is over: a stop string was found or the end was flushed");
        }
        if (root.next.isEmpty()) {
            return new Result(text, null);
        }
        held.append(text);
        for (int i = held.length() - text.length(); i < held.length(); i++) {
            state = step(state, held.charAt(i));
            String stop = state.stop;
            if (stop != null) {
                over = true;
                return new Result(held.substring(0, i + 1 - stop.length()), stop);
            }
        }
        int certain = held.length() - state.depth;
        String shown = held.substring(0, certain);
        held.delete(0, certain);
        return new Result(shown, null);
    }

    /** Ends the sequence without a match: returns what was held back. Empty after a match. */
    public String flush() {
        String rest = over ? "" : held.toString();
        over = true;
        return rest;
    }

    private Node step(Node from, char c) {
        Node node = from;
        while (true) {
            Node next = node.next.get(c);
            if (next != null) {
                return next;
            }
            if (node.fallback == null) {
                return root;
            }
            node = node.fallback;
        }
    }

    private void insert(String stop) {
        Node node = root;
        for (int i = 0; i < stop.length(); i++) {
            int depth = i + 1;
            node = node.next.computeIfAbsent(stop.charAt(i), c -> new Node(depth));
        }
        node.stop = stop;
    }

    /** Links every state to the longest shorter one, nearest to the root first. */
    private void link() {
        ArrayDeque<Node> pending = new ArrayDeque<>();
        for (Node node : root.next.values()) {
            node.fallback = root;
            pending.add(node);
        }
        while (!pending.isEmpty()) {
            Node node = pending.remove();
            node.next.forEach((c, child) -> {
                Node fallback = node.fallback == null ? root : step(node.fallback, c);
                child.fallback = fallback;
                // a stop that ends inside a longer one is complete here, too; the longer one's own comes first
                if (child.stop == null) {
                    child.stop = fallback.stop;
                }
                pending.add(child);
            });
        }
    }
}
