package dev.omlx.text.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes the caller's data over as values. */
final class ContextValues {
    private static final int DEEPEST = 500;

    private ContextValues() {}

    /**
     * The value of a variable.
     *
     * @param path where the value is, for messages
     * @throws IllegalArgumentException when it holds something that templates can't see
     */
    static Value of(@Nullable Object object, String path) {
        return of(object, path, 0);
    }

    private static Value of(@Nullable Object object, String path, int depth) {
        if (depth > DEEPEST) {
            throw JinjaException.limit("The data given to the template nests more than " + DEEPEST + " levels");
        }
        return switch (object) {
            case null -> None.NONE;
            case String text -> Str.of(text);
            case Boolean bool -> Bool.of(bool);
            case Integer number -> Int.of(number);
            case Long number -> Int.of(number);
            case Double number -> new Real(number);
            case Map<?, ?> map -> dict(map, path, depth);
            case Collection<?> list -> array(list, path, depth);
            case BigInteger number -> Int.of(number);
            case BigDecimal number -> new Real(number.doubleValue());
            case Short number -> Int.of(number);
            case Byte number -> Int.of(number);
            case Float number -> new Real(number);
            default ->
                throw new IllegalArgumentException("A template can't take '" + path + "' of type "
                        + object.getClass().getName() + "; it takes maps, lists, strings, numbers, booleans and null");
        };
    }

    private static Value array(Collection<?> list, String path, int depth) {
        List<Value> items = new ArrayList<>(list.size());
        for (Object item : list) {
            items.add(of(item, path, depth + 1));
        }
        return new Sequence.Array(items);
    }

    private static Value dict(Map<?, ?> map, String path, int depth) {
        Dict dict = new Dict(map.size());
        map.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new IllegalArgumentException("A template can't take '" + path + "': a key is not a string");
            }
            dict.put(name, of(value, name, depth + 1));
        });
        return dict;
    }
}
