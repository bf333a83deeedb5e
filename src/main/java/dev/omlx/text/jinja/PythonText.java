package dev.omlx.text.jinja;

import java.util.Iterator;
import java.util.List;

/** Python's {@code str()} and {@code repr()}. */
final class PythonText {
    private PythonText() {}

    /** {@code str(value)}. */
    static String str(Value value, Budget budget) {
        return switch (value) {
            case Str str -> str.text();
            case Undefined undefined -> "";
            case Int number -> number.toString();
            case Bool bool -> bool.isTrue() ? "True" : "False";
            case None none -> "None";
            case Real real -> PythonFloat.repr(real.value());
            default -> repr(value, budget);
        };
    }

    /** {@code repr(value)}. */
    static String repr(Value value, Budget budget) {
        TextOutput out = new TextOutput(budget);
        repr(value, out, budget);
        return out.toString();
    }

    private static void repr(Value value, TextOutput out, Budget budget) {
        budget.enter();
        switch (value) {
            case Str str -> reprString(str, out);
            case Sequence.Array array -> reprItems("[", array.items(), "]", out, budget);
            case Sequence.Tuple tuple ->
                reprItems("(", tuple.items(), tuple.items().size() == 1 ? ",)" : ")", out, budget);
            case Dict dict -> reprDict(dict, out, budget);
            case DictView view -> {
                out.append(view.typeName()).append('(');
                reprItems("[", view.toList(), "])", out, budget);
            }
            case Range range -> out.append(reprRange(range));
            case Namespace namespace -> {
                out.append("<Namespace ");
                reprDict(namespace.attributes(), out, budget);
                out.append('>');
            }
            case Undefined undefined -> out.append("Undefined");
            case Int number -> out.append(number.toString());
            case Bool bool -> out.append(str(bool, budget));
            case None none -> out.append("None");
            case Real real -> out.append(PythonFloat.repr(real.value()));
            case Macro macro -> out.append("<Macro ").append(macro.reprName()).append('>');
            case LoopState loop -> out.append("<LoopContext " + loop.index() + "/" + loop.length() + ">");
            case Callable.Builtin builtin -> out.append("<" + builtin.typeName() + " " + builtin.name() + ">");
            case Generator generator -> out.append("<" + generator.typeName() + " object>");
            case Cycler cycler -> out.append("<Cycler object>");
        }
        budget.leave();
    }

    private static String reprRange(Range range) {
        String bounds = "range(" + range.start() + ", " + range.stop();
        return range.step() == 1 ? bounds + ")" : bounds + ", " + range.step() + ")";
    }

    private static void reprItems(String open, List<Value> items, String close, TextOutput out, Budget budget) {
        out.append(open);
        String separator = "";
        for (Value item : items) {
            out.append(separator);
            repr(item, out, budget);
            separator = ", ";
        }
        out.append(close);
    }

    private static void reprDict(Dict dict, TextOutput out, Budget budget) {
        out.append('{');
        Iterator<Dict.Entry> entries = dict.entries().iterator();
        while (entries.hasNext()) {
            Dict.Entry entry = entries.next();
            repr(entry.key(), out, budget);
            out.append(": ");
            repr(entry.value(), out, budget);
            if (entries.hasNext()) {
                out.append(", ");
            }
        }
        out.append('}');
    }

    private static void reprString(Str str, TextOutput out) {
        if (str.markup()) {
            out.append("Markup(").append(quote(str.text(), false)).append(')');
        } else {
            out.append(quote(str.text(), false));
        }
    }

    /** The text as a Python literal: single quotes unless only double ones avoid an escape. */
    static String quote(String text, boolean ascii) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        StringBuilder out = new StringBuilder(text.length() + 2).append(quote);
        text.codePoints().forEach(c -> {
            if (c == quote || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c == '\r') {
                out.append("\\r");
            } else if (c == '\t') {
                out.append("\\t");
            } else if (ascii ? c >= ' ' && c < 0x7f : PythonChars.isPrintable(c)) {
                out.appendCodePoint(c);
            } else {
                appendEscape(c, out);
            }
        });
        return out.append(quote).toString();
    }

    private static void appendEscape(int c, StringBuilder out) {
        String hex = Integer.toHexString(c);
        int width = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
        out.append('\\').append(width == 2 ? 'x' : width == 4 ? 'u' : 'U');
        out.append("0".repeat(width - hex.length())).append(hex);
    }
}
