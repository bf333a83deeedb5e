package dev.omlx.text.jinja;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Filters that make text of text. */
final class TextFilters {
    private static final int CENTER_WIDTH = 80;
    private static final int INDENT_WIDTH = 4;
    private static final int TRUNCATE_LENGTH = 255;
    private static final int TRUNCATE_LEEWAY = 5;

    private TextFilters() {}

    static Map<String, Filter> all() {
        Map<String, Filter> filters = new HashMap<>();
        filters.put("upper", plain(TextCase::upper));
        filters.put("lower", plain(TextCase::lower));
        filters.put("capitalize", plain(TextCase::capitalize));
        filters.put("title", (input, arguments, budget) -> {
            arguments.exactly(0, 0);
            return Str.of(title(PythonText.str(input, budget)));
        });
        filters.put("string", plain(UnaryOperator.identity()));
        filters.put("trim", TextFilters::trim);
        filters.put("replace", TextFilters::replace);
        filters.put("indent", TextFilters::indent);
        filters.put("truncate", TextFilters::truncate);
        filters.put("center", TextFilters::center);
        filters.put("wordcount", TextFilters::countWords);
        filters.put("format", TextFilters::format);
        return filters;
    }

    private static Filter plain(UnaryOperator<String> operation) {
        return (input, arguments, budget) -> {
            arguments.exactly(0, 0);
            Str text = soft(input, budget);
            return text.like(operation.apply(text.text()));
        };
    }

    /** The value if it is a string, else its text. */
    static Str soft(Value value, Budget budget) {
        return value instanceof Str str ? str : Str.of(PythonText.str(value, budget));
    }

    /** Capitalises what follows white space, hyphens and opening brackets. */
    private static String title(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int first = text.codePointAt(at);
            int end = at + Character.charCount(first);
            if (isWordBoundary(first)) {
                out.appendCodePoint(first);
            } else {
                int rest = end;
                while (end < text.length() && !isWordBoundary(text.codePointAt(end))) {
                    end += Character.charCount(text.codePointAt(end));
                }
                out.append(TextCase.upper(Character.toString(first))).append(TextCase.lower(text.substring(rest, end)));
            }
            at = end;
        }
        return out.toString();
    }

    private static boolean isWordBoundary(int c) {
        return "-({[<".indexOf(c) >= 0 || PythonChars.isSpace(c);
    }

    private static Value trim(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("chars");
        Value chars = given.optional("chars");
        Str text = soft(input, budget);
        return text.like(StringMethods.strip(text.text(), chars == null ? null : given.string(chars), true, true));
    }

    private static Value replace(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("old", "new", "count");
        Value count = given.optional("count");
        return Str.of(TextSearch.replace(
                PythonText.str(input, budget),
                PythonText.str(given.required("old"), budget),
                PythonText.str(given.required("new"), budget),
                count == null ? -1 : given.integer(count),
                budget));
    }

    private static Value indent(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("width", "first", "blank");
        if (input instanceof Undefined undefined) {
            throw undefined.failure();
        }
        String text = given.string(input);
        Value width = given.get("width");
        String indent = width instanceof Str str ? str.text() : spaces(given.integer("width", INDENT_WIDTH), budget);
        boolean blank = given.flag("blank", false);
        List<String> lines = TextSplitting.lines(text + "\n", false);
        TextOutput out = new TextOutput(budget);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (i > 0) {
                out.append('\n');
            }
            if (i == 0 ? given.flag("first", false) : blank || !line.isEmpty()) {
                out.append(indent);
            }
            out.append(line);
        }
        return ((Str) input).like(out.toString());
    }

    private static String spaces(int width, Budget budget) {
        budget.text(Math.max(0, width));
        return " ".repeat(Math.max(0, width));
    }

    private static Value truncate(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("length", "killwords", "end", "leeway");
        int length = given.integer("length", TRUNCATE_LENGTH);
        Value ending = given.get("end");
        String end = ending == null ? "..." : given.string(ending);
        Value wantedLeeway = given.optional("leeway");
        int leeway = wantedLeeway == null ? TRUNCATE_LEEWAY : given.integer(wantedLeeway);
        int kept = length - end.codePointCount(0, end.length());
        if (kept < 0 || leeway < 0) {
            throw JinjaException.runtime("truncate() needs a length of at least its end's, and no negative leeway");
        }
        if (Iteration.length(input) <= (long) length + leeway) {
            return input;
        }
        String text = given.string(input);
        String start = text.substring(0, text.offsetByCodePoints(0, kept));
        int lastSpace = given.flag("killwords", false) ? -1 : start.lastIndexOf(' ');
        return ((Str) input).like((lastSpace < 0 ? start : start.substring(0, lastSpace)) + end);
    }

    private static Value center(Value input, Arguments arguments, Budget budget) {
        int width = arguments.bind("width").integer("width", CENTER_WIDTH);
        Str text = soft(input, budget);
        return text.like(TextLayout.center(text.text(), width, ' ', budget));
    }

    private static Value countWords(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        String text = PythonText.str(input, budget);
        long count = 0;
        boolean inWord = false;
        for (int c : text.codePoints().toArray()) {
            boolean part = PythonChars.isWordPart(c);
            count += part && !inWord ? 1 : 0;
            inWord = part;
        }
        return Int.of(count);
    }

    private static Value format(Value input, Arguments arguments, Budget budget) {
        if (!arguments.named().isEmpty() && !arguments.positional().isEmpty()) {
            throw JinjaException.runtime("format() takes either positional or named arguments, not both");
        }
        Value values = new Sequence.Tuple(arguments.positional());
        if (!arguments.named().isEmpty()) {
            Dict dict = new Dict(arguments.named().size());
            arguments.named().forEach(dict::put);
            values = dict;
        }
        return PrintfFormat.format(soft(input, budget), values, budget);
    }
}
