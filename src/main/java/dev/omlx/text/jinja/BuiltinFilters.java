package dev.omlx.text.jinja;

import java.util.HashMap;
import java.util.Map;

/** The filters by name. Of Jinja's own only those that lay out or link text for web pages are left out. */
final class BuiltinFilters {
    private static final Map<String, Filter> FILTERS = new HashMap<>();

    static {
        FILTERS.putAll(TextFilters.all());
        FILTERS.putAll(HtmlFilters.all());
        FILTERS.putAll(NumberFilters.all());
        FILTERS.putAll(SequenceFilters.all());
        FILTERS.putAll(OrderFilters.all());
        FILTERS.putAll(SelectionFilters.all());
        FILTERS.put("default", BuiltinFilters::fallback);
        FILTERS.put("d", BuiltinFilters::fallback);
        FILTERS.put("attr", BuiltinFilters::attribute);
        FILTERS.put("tojson", JsonFilter::apply);
    }

    private BuiltinFilters() {}

    static boolean exists(String name) {
        return FILTERS.containsKey(name);
    }

    static Value apply(String name, Value input, Arguments arguments, Budget budget) {
        Filter filter = FILTERS.get(name);
        if (filter == null) {
            throw JinjaException.runtime("The filter '" + name + "' is unknown");
        }
        if (input instanceof Str str) {
            // Whatever a filter does, it may read the whole text.
            budget.copy(str.text().length());
        }
        return filter.apply(input, arguments, budget);
    }

    private static Value fallback(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("default_value", "boolean");
        boolean missing = input instanceof Undefined || (given.flag("boolean", false) && !Truth.of(input));
        if (!missing) {
            return input;
        }
        Value value = given.get("default_value");
        return value == null ? Str.EMPTY : value;
    }

    private static Value attribute(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("name");
        String name = given.string(given.required("name"));
        Value found = Attributes.python(input, name, budget);
        return found != null ? found : Undefined.attribute(input, name);
    }
}
