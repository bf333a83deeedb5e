package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Filters that take sequences apart or put them together. */
final class SequenceFilters {
    private SequenceFilters() {}

    static Map<String, Filter> all() {
        Map<String, Filter> filters = new HashMap<>();
        filters.put("length", SequenceFilters::length);
        filters.put("count", SequenceFilters::length);
        filters.put("list", (input, arguments, budget) -> {
            arguments.exactly(0, 0);
            return new Sequence.Array(Iteration.toList(input, budget));
        });
        filters.put("join", SequenceFilters::join);
        filters.put("first", SequenceFilters::first);
        filters.put("last", SequenceFilters::last);
        filters.put("random", SequenceFilters::random);
        filters.put("reverse", SequenceFilters::reverse);
        filters.put("items", SequenceFilters::items);
        filters.put("batch", SequenceFilters::batch);
        filters.put("slice", SequenceFilters::slice);
        return filters;
    }

    private static Value length(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        return Int.of(Iteration.length(input));
    }

    private static Value join(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("d", "attribute");
        Value delimiter = given.get("d");
        String between = delimiter == null ? "" : PythonText.str(delimiter, budget);
        AttributePath path = AttributePath.of(given.get("attribute"));
        TextOutput out = new TextOutput(budget);
        String separator = "";
        Iterator<Value> items = Iteration.of(input);
        while (items.hasNext()) {
            budget.step();
            Value item = path.read(items.next(), budget);
            out.append(separator).append(PythonText.str(item, budget));
            separator = between;
        }
        return Str.of(out.toString());
    }

    private static Value first(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        Iterator<Value> items = Iteration.of(input);
        return items.hasNext() ? items.next() : Undefined.because("The sequence has no first item: it is empty");
    }

    private static Value last(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        if (input instanceof Str str) {
            Value last = Subscripts.element(str, Int.of(-1), budget);
            return last != null ? last : Undefined.because("The text has no last character: it is empty");
        }
        List<Value> items = Iteration.reversed(input, budget);
        return items.isEmpty() ? Undefined.because("The sequence has no last item: it is empty") : items.getFirst();
    }

    private static Value random(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        List<Value> items = Iteration.toList(input, budget);
        return items.isEmpty()
                ? Undefined.because("The sequence has no random item: it is empty")
                : items.get(ThreadLocalRandom.current().nextInt(items.size()));
    }

    private static Value reverse(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        return switch (input) {
            case Str str -> Subscripts.slice(str, None.NONE, None.NONE, Int.of(-1), budget);
            case Generator generator ->
                new Sequence.Array(Iteration.toList(generator, budget).reversed());
            default -> new Generator(Iteration.reversed(input, budget).iterator(), "reversed");
        };
    }

    private static Value items(Value input, Arguments arguments, Budget budget) {
        arguments.exactly(0, 0);
        return switch (input) {
            case Undefined undefined -> Generator.of(List.<Value>of().iterator());
            case Dict dict -> Generator.of(new DictView(dict, DictView.Part.ITEMS).iterator());
            default ->
                throw JinjaException.runtime(
                        "items() needs a dict, but got a value of type '" + input.typeName() + "'");
        };
    }

    private static Value batch(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("linecount", "fill_with");
        int size = given.integer(given.required("linecount"));
        Value fill = given.optional("fill_with");
        List<Value> batches = new ArrayList<>();
        List<Value> batch = new ArrayList<>();
        for (Value item : Iteration.toList(input, budget)) {
            if (batch.size() == size) {
                batches.add(new Sequence.Array(batch));
                batch = new ArrayList<>();
            }
            batch.add(item);
        }
        if (!batch.isEmpty()) {
            if (fill != null) {
                budget.list(size);
                while (batch.size() < size) {
                    batch.add(fill);
                }
            }
            batches.add(new Sequence.Array(batch));
        }
        return Generator.of(batches.iterator());
    }

    private static Value slice(Value input, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("slices", "fill_with");
        int count = given.integer(given.required("slices"));
        Value fill = given.optional("fill_with");
        List<Value> items = Iteration.toList(input, budget);
        if (count == 0) {
            throw JinjaException.runtime("slice() can't make no slices");
        }
        budget.list(Math.max(0, count));
        List<Value> slices = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < count; i++) {
            boolean longer = i < items.size() % count;
            int end = start + items.size() / count + (longer ? 1 : 0);
            List<Value> slice = new ArrayList<>(items.subList(start, end));
            if (fill != null && !longer) {
                slice.add(fill);
            }
            slices.add(new Sequence.Array(slice));
            start = end;
        }
        return Generator.of(slices.iterator());
    }
}
