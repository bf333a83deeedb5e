package dev.omlx.api.openai.responses;

import dev.omlx.api.http.Caller;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps responses in memory, within a number and a size: those that nobody asked for the longest are dropped first. A
 * response that is kept keeps what it went on from, also where that itself was dropped or deleted. Safe from any thread.
 */
final class ResponseStore {
    private final int most;
    private final long mostBytes;

    /** By id, the one that nobody asked for the longest first. */
    private final Map<String, StoredResponse> responses = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /**
     * A store of its own.
     *
     * @param most responses
     * @param mostBytes that they may take together
     */
    ResponseStore(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    synchronized void put(StoredResponse response) {
        responses.put(response.id(), response);
        bytes += response.json().length;
        retain(response.exchange());
        while (responses.size() > most || bytes > mostBytes) {
            drop(responses.values().iterator().next());
        }
    }

    /** The caller's own response of that id. */
    synchronized Optional<StoredResponse> find(Caller caller, String id) {
        return Optional.ofNullable(responses.get(id))
                .filter(response -> response.owner().equals(caller));
    }

    /** The item of that id in the caller's own responses. */
    synchronized Optional<Item> item(Caller caller, String id) {
        return responses.values().stream()
                .filter(response -> response.owner().equals(caller))
                .flatMap(response -> response.exchange().items())
                .filter(item -> item.id().equals(id))
                .findFirst();
    }

    /** Drops the caller's own response of that id; says whether there was one. */
    synchronized boolean delete(Caller caller, String id) {
        Optional<StoredResponse> found = find(caller, id);
        found.ifPresent(this::drop);
        return found.isPresent();
    }

    /** Bytes that are taken now. */
    synchronized long bytes() {
        return bytes;
    }

    private void drop(StoredResponse response) {
        responses.remove(response.id());
        bytes -= response.json().length;
        release(response.exchange());
    }

    private void retain(Exchange last) {
        for (Exchange exchange = last; exchange != null && exchange.users++ == 0; exchange = exchange.previous()) {
            bytes += exchange.size();
        }
    }

    private void release(Exchange last) {
        for (Exchange exchange = last; exchange != null && --exchange.users == 0; exchange = exchange.previous()) {
            bytes -= exchange.size();
        }
    }
}
