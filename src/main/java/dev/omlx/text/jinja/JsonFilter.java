package dev.omlx.text.jinja;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filter {@code tojson}, with the parameters of Python's {@code json.dumps} that chat templates may use. */
final class JsonFilter {
    private JsonFilter() {}

    static Value apply(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("ensure_ascii", "indent", "separators", "sort_keys");
        String indent = indent(given.optional("indent"), given, budget);
        String itemSeparator = indent == null ? ", " : ",";
        String keySeparator = ": ";
        Value separators = given.optional("separators");
        if (separators != null) {
            List<Value> pair = Iteration.toList(separators, budget);
            if (pair.size() != 2) {
                throw JinjaException.runtime("tojson() needs two separators, but got " + pair.size());
            }
            itemSeparator = given.string(pair.get(0));
            keySeparator = given.string(pair.get(1));
        }
        var style = new PythonJson.Style(
                given.flag("ensure_ascii", false), indent, itemSeparator, keySeparator, given.flag("sort_keys", false));
        return Str.of(PythonJson.dumps(input, style, budget));
    }

    private static @Nullable String indent(@Nullable Value indent, Arguments arguments, Budget budget) {
        if (indent == null) {
            return null;
        }
        if (indent instanceof Str text) {
            return text.text();
        }
        int width = Math.max(0, arguments.integer(indent));
        budget.text(width);
        return " ".repeat(width);
    }
}
