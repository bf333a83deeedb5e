package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;

/** Python's ways to split a string. */
final class TextSplitting {
    private TextSplitting() {}

    /** {@code split} or {@code rsplit}. */
    static Value split(Str self, Arguments arguments, boolean fromRight, Budget budget) {
        Arguments given = arguments.bind("sep", "maxsplit");
        Value separator = given.optional("sep");
        int limit = given.integer("maxsplit", -1);
        int splits = limit < 0 ? Integer.MAX_VALUE : limit;
        List<String> parts;
        if (separator == null) {
            parts = fromRight ? wordsFromRight(self.text(), splits) : words(self.text(), splits);
        } else {
            String text = given.string(separator);
            if (text.isEmpty()) {
                throw JinjaException.runtime("The separator of split() must not be empty");
            }
            budget.search(self.text(), text);
            parts = fromRight ? splitFromRight(self.text(), text, splits) : splitAt(self.text(), text, splits);
        }
        budget.list(parts.size());
        return list(self, parts);
    }

    private static Value list(Str self, List<String> parts) {
        List<Value> items = new ArrayList<>(parts.size());
        parts.forEach(part -> items.add(self.like(part)));
        return new Sequence.Array(items);
    }

    private static List<String> splitAt(String text, String separator, int splits) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(separator); at >= 0 && parts.size() < splits; at = text.indexOf(separator, from)) {
            parts.add(text.substring(from, at));
            from = at + separator.length();
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static List<String> splitFromRight(String text, String separator, int splits) {
        List<String> parts = new ArrayList<>();
        int end = text.length();
        while (parts.size() < splits) {
            int at = end < separator.length() ? -1 : text.lastIndexOf(separator, end - separator.length());
            if (at < 0) {
                break;
            }
            parts.add(text.substring(at + separator.length(), end));
            end = at;
        }
        parts.add(text.substring(0, end));
        return parts.reversed();
    }

    private static List<String> words(String text, int splits) {
        List<String> parts = new ArrayList<>();
        int at = PythonChars.skipSpaces(text, 0);
        while (at < text.length()) {
            if (parts.size() == splits) {
                parts.add(text.substring(at));
                break;
            }
            int end = at;
            while (end < text.length() && !PythonChars.isSpace(text.charAt(end))) {
                end++;
            }
            parts.add(text.substring(at, end));
            at = PythonChars.skipSpaces(text, end);
        }
        return parts;
    }

    private static List<String> wordsFromRight(String text, int splits) {
        List<String> parts = new ArrayList<>();
        int end = spacesStart(text, text.length());
        while (end > 0) {
            if (parts.size() == splits) {
                parts.add(text.substring(0, end));
                break;
            }
            int start = end;
            while (start > 0 && !PythonChars.isSpace(text.charAt(start - 1))) {
                start--;
            }
            parts.add(text.substring(start, end));
            end = spacesStart(text, start);
        }
        return parts.reversed();
    }

    /** Where the white space in front of a position starts. */
    private static int spacesStart(String text, int end) {
        int start = end;
        while (start > 0 && PythonChars.isSpace(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    static Value splitLines(Str self, Arguments arguments, Budget budget) {
        List<String> lines = lines(self.text(), arguments.bind("keepends").flag("keepends", false));
        budget.list(lines.size());
        return list(self, lines);
    }

    /** The lines of a text; one that ends in a line break has no empty line after it. */
    static List<String> lines(String text, boolean keepEnds) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int end = from;
            while (end < text.length() && !PythonChars.isLineBreak(text.charAt(end))) {
                end++;
            }
            int next = end;
            if (end < text.length()) {
                next = text.startsWith("\r\n", end) ? end + 2 : end + 1;
            }
            lines.add(text.substring(from, keepEnds ? next : end));
            from = next;
        }
        return lines;
    }

    /** {@code partition} or {@code rpartition}. */
    static Value partition(Str self, Arguments arguments, boolean last, Budget budget) {
        String separator = arguments.string(arguments.exactly(1, 1).get(0));
        if (separator.isEmpty()) {
            throw JinjaException.runtime("The separator of partition() must not be empty");
        }
        String text = self.text();
        budget.search(text, separator);
        int at = last ? text.lastIndexOf(separator) : text.indexOf(separator);
        Str empty = self.like("");
        if (at < 0) {
            return new Sequence.Tuple(last ? List.of(empty, empty, self) : List.of(self, empty, empty));
        }
        return new Sequence.Tuple(List.of(
                self.like(text.substring(0, at)),
                self.like(separator),
                self.like(text.substring(at + separator.length()))));
    }
}
