package dev.omlx.security;

import java.util.List;
import java.util.Optional;

/** The keys that are valid. */
public final class ApiKeys {
    private final List<ApiKey> keys;

    public ApiKeys(List<ApiKey> keys) {
        this.keys = keys.stream().distinct().toList();
    }

    /** Whether there are none, so that nobody is asked for one. */
    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The key that a client shows; looking for it takes the same time whether and where it is found. */
    public Optional<ApiKey> find(String shown) {
        byte[] hash = ApiKey.hash(shown);
        Optional<ApiKey> found = Optional.empty();
        for (ApiKey key : keys) {
            if (key.matches(hash)) {
                found = Optional.of(key);
            }
        }
        return found;
    }
}
