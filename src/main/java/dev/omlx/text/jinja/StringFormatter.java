package dev.omlx.text.jinja;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Python's {@code str.format}: replacement fields with attribute and element access, conversions and nested formats. */
final class StringFormatter {
    private static final int NESTING = 2;

    private final List<Value> positional;
    private final Map<String, Value> named;
    private final @Nullable Dict mapping;
    private final boolean markup;
    private final Budget budget;
    private int automatic;
    private boolean numbered;

    private StringFormatter(
            List<Value> positional, Map<String, Value> named, @Nullable Dict mapping, boolean markup, Budget budget) {
        this.positional = positional;
        this.named = named;
        this.mapping = mapping;
        this.markup = markup;
        this.budget = budget;
    }

    static Value format(Str self, Arguments arguments, Budget budget) {
        var formatter = new StringFormatter(arguments.positional(), arguments.named(), null, self.markup(), budget);
        return self.like(formatter.expand(self.text(), NESTING));
    }

    static Value formatMap(Str self, Arguments arguments, Budget budget) {
        if (!(arguments.exactly(1, 1).get(0) instanceof Dict dict)) {
            throw JinjaException.runtime("format_map() needs a dict");
        }
        return self.like(
                new StringFormatter(List.of(), Map.of(), dict, self.markup(), budget).expand(self.text(), NESTING));
    }

    private String expand(String format, int nesting) {
        if (nesting == 0) {
            throw JinjaException.runtime("The format is nested too deeply");
        }
        TextOutput out = new TextOutput(budget);
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at);
            boolean doubled = at + 1 < format.length() && format.charAt(at + 1) == c;
            if ((c == '{' || c == '}') && doubled) {
                out.append(c);
                at += 2;
            } else if (c == '{') {
                int end = fieldEnd(format, at + 1);
                out.append(field(format.substring(at + 1, end), nesting));
                at = end + 1;
            } else if (c == '}') {
                throw JinjaException.runtime("The format has a '}' without a '{'");
            } else {
                int end = at + 1;
                while (end < format.length() && format.charAt(end) != '{' && format.charAt(end) != '}') {
                    end++;
                }
                out.append(format.substring(at, end));
                at = end;
            }
        }
        return out.toString();
    }

    private static int fieldEnd(String format, int from) {
        int depth = 1;
        for (int at = from; at < format.length(); at++) {
            char c = format.charAt(at);
            if (c == '[' && depth == 1) {
                int close = format.indexOf(']', at);
                at = close < 0 ? at : close;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return at;
            }
        }
        throw JinjaException.runtime("The format has a '{' without a '}'");
    }

    private String field(String field, int nesting) {
        int nameEnd = nameEnd(field);
        String name = field.substring(0, nameEnd);
        String rest = field.substring(nameEnd);
        char conversion = 0;
        if (rest.startsWith("!")) {
            if (rest.length() < 2 || (rest.length() > 2 && rest.charAt(2) != ':')) {
                throw JinjaException.runtime("The conversion of the format field '" + field + "' is not valid");
            }
            conversion = rest.charAt(1);
            rest = rest.substring(2);
        }
        Value value = convert(lookUp(name), conversion);
        String specification = rest.isEmpty() ? "" : rest.substring(1);
        if (specification.indexOf('{') >= 0) {
            specification = expand(specification, nesting - 1);
        }
        String text = Formatting.format(value, specification, budget);
        boolean safe = !markup || (value instanceof Str str && str.markup());
        return safe ? text : Html.escape(text);
    }

    private static int nameEnd(String field) {
        for (int at = 0; at < field.length(); at++) {
            char c = field.charAt(at);
            if (c == '[') {
                int close = field.indexOf(']', at);
                at = close < 0 ? at : close;
            } else if (c == '!' || c == ':') {
                return at;
            }
        }
        return field.length();
    }

    private Value convert(Value value, char conversion) {
        return switch (conversion) {
            case 0 -> value;
            case 's' -> Str.of(PythonText.str(value, budget));
            case 'r' -> Str.of(PythonText.repr(value, budget));
            case 'a' -> Str.of(PrintfFormat.ascii(PythonText.repr(value, budget)));
            default -> throw JinjaException.runtime("The format conversion '" + conversion + "' is unknown");
        };
    }

    private Value lookUp(String name) {
        int end = 0;
        while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '[') {
            end++;
        }
        Value value = first(name.substring(0, end));
        int at = end;
        while (at < name.length()) {
            budget.step();
            if (name.charAt(at) == '.') {
                int next = at + 1;
                while (next < name.length() && name.charAt(next) != '.' && name.charAt(next) != '[') {
                    next++;
                }
                value = Attributes.attribute(value, name.substring(at + 1, next), budget);
                at = next;
            } else {
                int close = name.indexOf(']', at);
                if (name.charAt(at) != '[' || close < 0) {
                    throw JinjaException.runtime("The format field '" + name + "' is not valid");
                }
                value = Attributes.item(value, key(name.substring(at + 1, close)), budget);
                at = close + 1;
            }
        }
        return value;
    }

    private static Value key(String text) {
        return isNumber(text) ? Int.of(number(text)) : Str.of(text);
    }

    private Value first(String name) {
        if (!name.isEmpty() && !isNumber(name)) {
            Value value = mapping != null ? mapping.get(name) : named.get(name);
            if (value == null) {
                throw JinjaException.runtime("format() has no value for '" + name + "'");
            }
            return value;
        }
        if (name.isEmpty() ? numbered : automatic > 0) {
            throw JinjaException.runtime("The format mixes numbered and unnumbered fields");
        }
        numbered = !name.isEmpty();
        int index = name.isEmpty() ? automatic++ : number(name);
        if (index >= positional.size()) {
            throw JinjaException.runtime("format() has no argument number " + index);
        }
        return positional.get(index);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }
}
