package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Filters that compare the elements of a sequence with each other. */
final class OrderFilters {
    private static final List<String> GROUP_FIELDS = List.of("grouper", "list");

    private OrderFilters() {}

    static Map<String, Filter> all() {
        Map<String, Filter> filters = new HashMap<>();
        filters.put("sort", OrderFilters::sort);
        filters.put("dictsort", OrderFilters::sortDict);
        filters.put("unique", OrderFilters::unique);
        filters.put("groupby", OrderFilters::groupBy);
        filters.put("min", (input, arguments, budget) -> extreme(input, arguments, true, budget));
        filters.put("max", (input, arguments, budget) -> extreme(input, arguments, false, budget));
        return filters;
    }

    private static Value sort(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("reverse", "case_sensitive", "attribute");
        boolean caseSensitive = given.flag("case_sensitive", false);
        List<AttributePath> paths = AttributePath.several(given.get("attribute"));
        List<Value> items = Iteration.toList(input, budget);
        List<Value> keys = new ArrayList<>(items.size());
        for (Value item : items) {
            List<Value> key = new ArrayList<>(paths.size());
            paths.forEach(path -> key.add(path.readKey(item, caseSensitive, budget)));
            keys.add(new Sequence.Array(key));
        }
        return new Sequence.Array(Sorting.sorted(items, keys, given.flag("reverse", false), budget));
    }

    private static Value sortDict(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("case_sensitive", "by", "reverse");
        Value wanted = given.get("by");
        String by = wanted == null ? "key" : given.string(wanted);
        if (!by.equals("key") && !by.equals("value")) {
            throw JinjaException.runtime("dictsort() sorts by 'key' or 'value'");
        }
        if (!(input instanceof Dict dict)) {
            throw input instanceof Undefined undefined
                    ? undefined.failure()
                    : JinjaException.runtime(
                            "dictsort() needs a dict, but got a value of type '" + input.typeName() + "'");
        }
        boolean caseSensitive = given.flag("case_sensitive", false);
        List<Value> items = new ArrayList<>(dict.size());
        List<Value> keys = new ArrayList<>(dict.size());
        for (Dict.Entry entry : dict.entries()) {
            items.add(entry.toTuple());
            keys.add(AttributePath.foldCase(by.equals("key") ? entry.key() : entry.value(), caseSensitive, budget));
        }
        return new Sequence.Array(Sorting.sorted(items, keys, given.flag("reverse", false), budget));
    }

    private static Value unique(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("case_sensitive", "attribute");
        boolean caseSensitive = given.flag("case_sensitive", false);
        AttributePath path = AttributePath.of(given.get("attribute"));
        Set<Object> seen = new HashSet<>();
        return Generator.of(new FilteredIterator(
                Iteration.of(input),
                item -> seen.add(Dict.hashKey(path.readKey(item, caseSensitive, budget), budget)),
                budget));
    }

    private static Value groupBy(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("attribute", "default", "case_sensitive");
        boolean caseSensitive = given.flag("case_sensitive", false);
        Value fallback = given.optional("default");
        AttributePath path = AttributePath.of(given.required("attribute"));
        List<Value> items = Iteration.toList(input, budget);
        List<Value> keys = new ArrayList<>(items.size());
        for (Value item : items) {
            keys.add(AttributePath.foldCase(path.read(item, fallback, budget), caseSensitive, budget));
        }
        List<Value> sorted = Sorting.sorted(items, keys, false, budget);
        List<Value> sortedKeys = Sorting.sorted(keys, keys, false, budget);
        List<Value> groups = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size() || !Comparison.equal(sortedKeys.get(i), sortedKeys.get(start), budget)) {
                Value grouper = path.read(sorted.get(start), fallback, budget);
                Value members = new Sequence.Array(List.copyOf(sorted.subList(start, i)));
                groups.add(new Sequence.Tuple(List.of(grouper, members), GROUP_FIELDS));
                start = i;
            }
        }
        return new Sequence.Array(groups);
    }

    private static Value extreme(Value input, Arguments arguments, boolean least, Budget budget) {
        Arguments given = arguments.bind("case_sensitive", "attribute");
        boolean caseSensitive = given.flag("case_sensitive", false);
        AttributePath path = AttributePath.of(given.get("attribute"));
        List<Value> items = Iteration.toList(input, budget);
        if (items.isEmpty()) {
            return Undefined.because("The sequence has no least or greatest item: it is empty");
        }
        Value best = items.getFirst();
        Value bestKey = path.readKey(best, caseSensitive, budget);
        for (Value item : items.subList(1, items.size())) {
            budget.step();
            Value key = path.readKey(item, caseSensitive, budget);
            if (Comparison.ordered(key, least ? "<" : ">", bestKey, budget)) {
                best = item;
                bestKey = key;
            }
        }
        return best;
    }
}
