package dev.omlx.text.jinja;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Filters that escape text for HTML and URLs, or undo it. */
final class HtmlFilters {
    private HtmlFilters() {}

    static Map<String, Filter> all() {
        Map<String, Filter> filters = new HashMap<>();
        filters.put("escape", HtmlFilters::escape);
        filters.put("e", HtmlFilters::escape);
        filters.put("forceescape", (input, arguments, budget) -> {
            arguments.exactly(0, 0);
            return Str.markup(Html.escape(PythonText.str(input, budget)));
        });
        filters.put("safe", (input, arguments, budget) -> {
            arguments.exactly(0, 0);
            return Str.markup(PythonText.str(input, budget));
        });
        filters.put("striptags", (input, arguments, budget) -> {
            arguments.exactly(0, 0);
            String text = PythonText.str(input, budget);
            return Str.of(Html.stripTags(text));
        });
        filters.put("urlencode", HtmlFilters::urlEncode);
        filters.put("xmlattr", HtmlFilters::xmlAttributes);
        return filters;
    }

    private static Value escape(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        return Str.markup(Html.escape(input, budget));
    }

    private static Value urlEncode(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        if (input instanceof Str || !Iteration.isIterable(input)) {
            return Str.of(quote(PythonText.str(input, budget), false));
        }
        Value pairs = input instanceof Dict dict ? new DictView(dict, DictView.Part.ITEMS) : input;
        TextOutput out = new TextOutput(budget);
        String separator = "";
        for (Value pair : Iteration.toList(pairs, budget)) {
            List<Value> parts = Iteration.toList(pair, budget);
            if (parts.size() != 2) {
                throw JinjaException.runtime("urlencode() needs pairs of keys and values");
            }
            out.append(separator)
                    .append(quote(PythonText.str(parts.get(0), budget), true))
                    .append('=')
                    .append(quote(PythonText.str(parts.get(1), budget), true));
            separator = "&";
        }
        return Str.of(out.toString());
    }

    private static String quote(String text, boolean query) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean letter = c < 0x80 && Character.isLetterOrDigit(c);
            if (letter || "_.-~".indexOf(c) >= 0 || (c == '/' && !query)) {
                out.append(c);
            } else if (c == ' ' && query) {
                out.append('+');
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return out.toString();
    }

    private static Value xmlAttributes(Value input, Arguments arguments, Budget budget) {
        boolean space = arguments.bind("autospace").flag("autospace", true);
        if (!(input instanceof Dict dict)) {
            throw JinjaException.runtime("xmlattr() needs a dict, but got a value of type '" + input.typeName() + "'");
        }
        TextOutput out = new TextOutput(budget);
        String separator = space ? " " : "";
        for (Dict.Entry entry : dict.entries()) {
            if (entry.value() == None.NONE || entry.value() instanceof Undefined) {
                continue;
            }
            String key = arguments.string(entry.key());
            if (key.chars().anyMatch(c -> " \t\n\r\f\u000b/>=".indexOf(c) >= 0)) {
                throw JinjaException.runtime("'" + key + "' is not a valid name of an XML attribute");
            }
            out.append(separator)
                    .append(Html.escape(entry.key(), budget))
                    .append("=\"")
                    .append(Html.escape(entry.value(), budget))
                    .append('"');
            separator = " ";
        }
        return Str.of(out.toString());
    }
}
