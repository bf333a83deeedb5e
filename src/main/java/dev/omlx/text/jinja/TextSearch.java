package dev.omlx.text.jinja;

import java.util.List;

/** Searching in Python strings; positions are code points. */
final class TextSearch {
    private TextSearch() {}

    /** The part of a string between two positions, and where it starts. */
    private record Window(String text, int start) {
        /** By the optional second and third argument. */
        static Window of(Str self, List<Value> given, Arguments arguments) {
            int length = self.length();
            int from = given.size() > 1 ? bound(given.get(1), 0, length, length + 1, arguments) : 0;
            int to = given.size() > 2 ? bound(given.get(2), length, length, length, arguments) : length;
            if (from > length || from > to) {
                return new Window("", -1);
            }
            String text = self.text();
            if (from > 0 || to < length) {
                int begin = text.offsetByCodePoints(0, from);
                text = text.substring(begin, text.offsetByCodePoints(begin, to - from));
            }
            return new Window(text, from);
        }

        /** Whether the bounds leave room for any match, even an empty one. */
        boolean exists() {
            return start >= 0;
        }

        private static int bound(Value value, int fallback, int length, int most, Arguments arguments) {
            if (value == None.NONE) {
                return fallback;
            }
            long index = arguments.integer(value);
            return Math.clamp(index < 0 ? index + length : index, 0, most);
        }
    }

    /** {@code startswith} or {@code endswith}, with one text or a tuple of them. */
    static Value affix(Str self, Arguments arguments, boolean start) {
        List<Value> given = arguments.exactly(1, 3);
        Window window = Window.of(self, given, arguments);
        if (given.get(0) instanceof Sequence.Tuple tuple) {
            return Bool.of(tuple.items().stream().anyMatch(item -> matches(window, arguments.string(item), start)));
        }
        return Bool.of(matches(window, arguments.string(given.get(0)), start));
    }

    private static boolean matches(Window window, String affix, boolean start) {
        return window.exists()
                && (start ? window.text().startsWith(affix) : window.text().endsWith(affix));
    }

    /** The first or last position, or -1. */
    static int find(Str self, Arguments arguments, boolean last, Budget budget) {
        List<Value> given = arguments.exactly(1, 3);
        String wanted = arguments.string(given.get(0));
        Window window = Window.of(self, given, arguments);
        if (!window.exists()) {
            return -1;
        }
        budget.search(window.text(), wanted);
        int at = last ? window.text().lastIndexOf(wanted) : window.text().indexOf(wanted);
        return at < 0 ? -1 : window.start() + window.text().codePointCount(0, at);
    }

    static Value index(Str self, Arguments arguments, boolean last, Budget budget) {
        int at = find(self, arguments, last, budget);
        if (at < 0) {
            throw JinjaException.runtime(arguments.callee() + "() doesn't find the text");
        }
        return Int.of(at);
    }

    static Value count(Str self, Arguments arguments, Budget budget) {
        List<Value> given = arguments.exactly(1, 3);
        String wanted = arguments.string(given.get(0));
        Window window = Window.of(self, given, arguments);
        if (!window.exists()) {
            return Int.ZERO;
        }
        String text = window.text();
        if (wanted.isEmpty()) {
            return Int.of(text.codePointCount(0, text.length()) + 1L);
        }
        budget.search(text, wanted);
        long count = 0;
        for (int at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length())) {
            count++;
        }
        return Int.of(count);
    }

    /** {@code str.replace}; a negative count means all. An empty {@code old} matches between all code points. */
    static String replace(String text, String old, String replacement, int count, Budget budget) {
        if (count == 0) {
            return text;
        }
        budget.search(text, old);
        TextOutput out = new TextOutput(budget);
        int left = count < 0 ? Integer.MAX_VALUE : count;
        if (old.isEmpty()) {
            int at = 0;
            while (left > 0) {
                out.append(replacement);
                left--;
                if (at == text.length()) {
                    return out.toString();
                }
                int next = at + Character.charCount(text.codePointAt(at));
                out.append(text.substring(at, next));
                at = next;
            }
            return out.append(text.substring(at)).toString();
        }
        int from = 0;
        for (int at = text.indexOf(old); at >= 0 && left > 0; at = text.indexOf(old, from), left--) {
            out.append(text.substring(from, at)).append(replacement);
            from = at + old.length();
        }
        return from == 0 ? text : out.append(text.substring(from)).toString();
    }
}
