package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.api.http.Caller;
import dev.omlx.security.ApiKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResponseStoreTests {
    private static final Caller ONE = new Caller(ApiKey.valueOf("one"));
    private static final Caller OTHER = new Caller(ApiKey.valueOf("other"));
    private static final int JSON = 1000;

    @Test
    void dropsTheOneThatNobodyAskedForTheLongest() {
        ResponseStore store = new ResponseStore(2, Long.MAX_VALUE);
        put(store, "a", null);
        put(store, "b", null);
        assertThat(store.find(ONE, "a")).isPresent();
        put(store, "c", null);

        assertThat(store.find(ONE, "b")).isEmpty();
        assertThat(store.find(ONE, "a")).isPresent();
        assertThat(store.find(ONE, "c")).isPresent();
    }

    @Test
    void staysWithinItsSize() {
        Exchange exchange = exchange("x", null);
        ResponseStore store = new ResponseStore(1000, 3 * (JSON + exchange.size()) + 1);
        for (int i = 0; i < 10; i++) {
            put(store, "r" + i, null);
        }

        assertThat(store.bytes()).isEqualTo(3 * (JSON + exchange.size()));
        assertThat(store.find(ONE, "r6")).isEmpty();
        assertThat(store.find(ONE, "r7")).isPresent();
    }

    @Test
    void countsWhatConversationsShareOnce() {
        ResponseStore store = new ResponseStore(1000, Long.MAX_VALUE);
        Exchange root = put(store, "root", null);
        put(store, "left", root);
        put(store, "right", root);

        assertThat(store.bytes()).isEqualTo(3 * (JSON + root.size()));

        assertThat(store.delete(ONE, "root")).isTrue();
        assertThat(store.bytes()).isEqualTo(2 * JSON + 3 * root.size());
        assertThat(store.delete(ONE, "left")).isTrue();
        assertThat(store.bytes()).isEqualTo(JSON + 2 * root.size());
        assertThat(store.delete(ONE, "right")).isTrue();
        assertThat(store.bytes()).isZero();
    }

    /** A request that goes on from a response may end after that was dropped. */
    @Test
    void countsAgainWhatComesBack() {
        ResponseStore store = new ResponseStore(1000, Long.MAX_VALUE);
        Exchange root = put(store, "root", null);
        store.delete(ONE, "root");
        Exchange leaf = put(store, "leaf", root);

        assertThat(store.bytes()).isEqualTo(JSON + root.size() + leaf.size());
        store.delete(ONE, "leaf");
        assertThat(store.bytes()).isZero();
    }

    @Test
    void goesOnFromAConversationOfAnyLength() {
        ResponseStore store = new ResponseStore(10, Long.MAX_VALUE);
        Exchange last = null;
        for (int i = 0; i < 20_000; i++) {
            last = put(store, "r" + i, last);
        }

        assertThat(store.find(ONE, "r19999").orElseThrow().exchange().history()).hasSize(20_000);
        for (int i = 19_990; i < 20_000; i++) {
            store.delete(ONE, "r" + i);
        }
        assertThat(store.bytes()).isZero();
    }

    @Test
    void tellsCallersApart() {
        ResponseStore store = new ResponseStore(10, Long.MAX_VALUE);
        put(store, "a", null);

        assertThat(store.find(OTHER, "a")).isEmpty();
        assertThat(store.item(OTHER, "item of a")).isEmpty();
        assertThat(store.delete(OTHER, "a")).isFalse();
        assertThat(store.item(ONE, "item of a")).isPresent();
        assertThat(store.find(ONE, "a")).isPresent();
    }

    @Test
    void countsRightWhateverHappens() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long mostBytes = 30_000;
        ResponseStore store = new ResponseStore(12, mostBytes);
        List<Exchange> exchanges = new ArrayList<>();
        Map<String, Exchange> ofResponses = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            if (random.nextInt(4) > 0) {
                Exchange previous = exchanges.isEmpty() || random.nextBoolean()
                        ? null
                        : exchanges.get(random.nextInt(exchanges.size()));
                Exchange added = put(store, "r" + i, previous);
                exchanges.add(added);
                ofResponses.put("r" + i, added);
            } else {
                store.delete(ONE, "r" + random.nextInt(i + 1));
            }
            ofResponses.keySet().removeIf(id -> store.find(ONE, id).isEmpty());

            assertThat(ofResponses).as("seed %d", seed).hasSizeLessThanOrEqualTo(12);
            assertThat(store.bytes())
                    .as("seed %d", seed)
                    .isEqualTo(size(ofResponses.values()))
                    .isLessThanOrEqualTo(mostBytes);
        }
    }

    /** What the responses and all that they go on from take. */
    private static long size(Iterable<Exchange> ofResponses) {
        long bytes = 0;
        Set<Exchange> counted = new HashSet<>();
        for (Exchange last : ofResponses) {
            bytes += JSON;
            for (Exchange exchange = last; exchange != null && counted.add(exchange); exchange = exchange.previous()) {
                bytes += exchange.size();
            }
        }
        return bytes;
    }

    private static Exchange put(ResponseStore store, String id, @Nullable Exchange previous) {
        Exchange exchange = exchange(id, previous);
        store.put(new StoredResponse(id, ONE, new byte[JSON], exchange));
        return exchange;
    }

    private static Exchange exchange(String id, @Nullable Exchange previous) {
        Item item = new Item("item of " + id, new Item.Message("user", "text"), "{}");
        return new Exchange(previous, List.of(item), List.of());
    }
}
