package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Python's {@code json.dumps}, which the filter {@code tojson} is. */
final class PythonJson {
    private final Style style;
    private final Budget budget;
    private final TextOutput out;

    /**
     * How to write.
     *
     * @param indent what one level is indented by, or null to write one line
     */
    record Style(boolean ascii, @Nullable String indent, String itemSeparator, String keySeparator, boolean sortKeys) {}

    private PythonJson(Style style, Budget budget) {
        this.style = style;
        this.budget = budget;
        this.out = new TextOutput(budget);
    }

    static String dumps(Value value, Style style, Budget budget) {
        PythonJson json = new PythonJson(style, budget);
        json.write(value, "\n");
        return json.out.toString();
    }

    private void write(Value value, String lineBreak) {
        budget.enter();
        switch (value) {
            case Str str -> writeString(str.text());
            case Dict dict -> writeDict(dict, lineBreak);
            case Sequence sequence -> writeItems(sequence.items(), lineBreak);
            case None none -> out.append("null");
            case Bool bool -> out.append(bool.isTrue() ? "true" : "false");
            case Int number -> out.append(number.toString());
            case Real real -> out.append(number(real.value()));
            case Undefined undefined -> throw unserializable(undefined);
            case DictView view -> throw unserializable(view);
            case Range range -> throw unserializable(range);
            case Generator generator -> throw unserializable(generator);
            case Namespace namespace -> throw unserializable(namespace);
            case Cycler cycler -> throw unserializable(cycler);
            case Callable callable -> throw unserializable(callable);
        }
        budget.leave();
    }

    private static JinjaException unserializable(Value value) {
        return JinjaException.runtime("A value of type '" + value.typeName() + "' can't be written as JSON");
    }

    private static String number(double value) {
        if (Double.isFinite(value)) {
            return PythonFloat.repr(value);
        }
        return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    }

    private void writeItems(List<Value> items, String lineBreak) {
        if (items.isEmpty()) {
            out.append("[]");
            return;
        }
        String inner = lineBreak + style.indent();
        String separator = "[";
        for (Value item : items) {
            out.append(separator);
            breakLine(inner);
            write(item, inner);
            separator = style.itemSeparator();
        }
        breakLine(lineBreak);
        out.append(']');
    }

    private void writeDict(Dict dict, String lineBreak) {
        if (dict.size() == 0) {
            out.append("{}");
            return;
        }
        String inner = lineBreak + style.indent();
        String separator = "{";
        for (Dict.Entry entry : ordered(dict.entries())) {
            out.append(separator);
            breakLine(inner);
            writeString(key(entry.key()));
            out.append(style.keySeparator());
            write(entry.value(), inner);
            separator = style.itemSeparator();
        }
        breakLine(lineBreak);
        out.append('}');
    }

    private Collection<Dict.Entry> ordered(Collection<Dict.Entry> entries) {
        if (!style.sortKeys()) {
            return entries;
        }
        List<Value> keys = new ArrayList<>(entries.size());
        entries.forEach(entry -> keys.add(entry.key()));
        return Sorting.sorted(new ArrayList<>(entries), keys, false, budget);
    }

    private static String key(Value key) {
        return switch (key) {
            case Str str -> str.text();
            case Bool bool -> bool.isTrue() ? "true" : "false";
            case None none -> "null";
            case Int number -> number.toString();
            case Real real -> number(real.value());
            default -> throw JinjaException.runtime("A key of type '" + key.typeName() + "' can't be written as JSON");
        };
    }

    private void breakLine(String lineBreak) {
        if (style.indent() != null) {
            out.append(lineBreak);
        }
    }

    private void writeString(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '\f' -> quoted.append("\\f");
                case '\b' -> quoted.append("\\b");
                default -> {
                    if (c < ' ' || (style.ascii() && c > '~')) {
                        quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        out.append(quoted.append('"').toString());
    }
}
