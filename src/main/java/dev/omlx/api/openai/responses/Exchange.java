package dev.omlx.api.openai.responses;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was said for one response, and the exchange that it went on from: a conversation's branches share their stem. */
final class Exchange {
    private final @Nullable Exchange previous;
    private final List<Item> input;
    private final List<Item> output;

    /** Responses and later exchanges that are kept and need this one; the store's own. */
    int users;

    Exchange(@Nullable Exchange previous, List<Item> input, List<Item> output) {
        this.previous = previous;
        this.input = List.copyOf(input);
        this.output = List.copyOf(output);
    }

    @Nullable
    Exchange previous() {
        return previous;
    }

    List<Item> input() {
        return input;
    }

    /** What came in and what came out. */
    Stream<Item> items() {
        return Stream.concat(input.stream(), output.stream());
    }

    /** All that was said up to here, in order. */
    List<Item> history() {
        Deque<Exchange> exchanges = new ArrayDeque<>();
        for (Exchange exchange = this; exchange != null; exchange = exchange.previous) {
            exchanges.push(exchange);
        }
        List<Item> items = new ArrayList<>();
        exchanges.forEach(exchange -> exchange.items().forEach(items::add));
        return items;
    }

    /** Bytes that it takes to keep, those of the exchanges before not counted. */
    long size() {
        return items().mapToLong(Item::size).sum();
    }
}
