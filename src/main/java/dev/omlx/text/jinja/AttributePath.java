package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What filters' {@code attribute} parameter says: a way into an element, such as {@code "function.name"} or {@code 0}.
 *
 * @param keys from the outside in; integers for parts that are numbers
 */
record AttributePath(List<Value> keys) {
    static final AttributePath SELF = new AttributePath(List.of());

    /** The path of a parameter; none at all leads to the element itself. */
    static AttributePath of(@Nullable Value parameter) {
        if (parameter == null || parameter == None.NONE) {
            return SELF;
        }
        return parameter instanceof Str str ? parse(str.text()) : new AttributePath(List.of(parameter));
    }

    /** The paths of a parameter that may name several with commas. */
    static List<AttributePath> several(@Nullable Value parameter) {
        if (!(parameter instanceof Str str)) {
            return List.of(of(parameter));
        }
        List<AttributePath> paths = new ArrayList<>();
        for (String part : str.text().split(",", -1)) {
            paths.add(parse(part));
        }
        return paths;
    }

    private static AttributePath parse(String path) {
        List<Value> keys = new ArrayList<>();
        for (String part : path.split("\\.", -1)) {
            boolean number =
                    !part.isEmpty() && part.length() < 10 && part.chars().allMatch(c -> c >= '0' && c <= '9');
            keys.add(number ? Int.of(Integer.parseInt(part)) : Str.of(part));
        }
        return new AttributePath(keys);
    }

    Value read(Value element, Budget budget) {
        return read(element, null, budget);
    }

    /**
     * Follows the path.
     *
     * @param fallback what stands in for what is undefined on the way, or null
     */
    Value read(Value element, @Nullable Value fallback, Budget budget) {
        Value value = element;
        for (Value key : keys) {
            value = Attributes.item(value, key, budget);
            if (fallback != null && value instanceof Undefined) {
                value = fallback;
            }
        }
        return value;
    }

    /** What the path leads to as a sort key: strings in lower case, unless case matters. */
    Value readKey(Value element, boolean caseSensitive, Budget budget) {
        return foldCase(read(element, budget), caseSensitive, budget);
    }

    static Value foldCase(Value value, boolean caseSensitive, Budget budget) {
        if (caseSensitive || !(value instanceof Str str)) {
            return value;
        }
        budget.copy(str.text().length());
        return Str.of(TextCase.lower(str.text()));
    }
}
