package dev.omlx.parse;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Names the calls of one answer. */
final class CallIds {
    private static final String ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final int MAX_LENGTH = 64;

    private final Supplier<String> fresh;
    private final Set<String> taken = new HashSet<>();

    /** @param fresh makes ids up */
    CallIds(Supplier<String> fresh) {
        this.fresh = fresh;
    }

    /** The id that the model gave, if it serves, since some models expect to see it again; else a fresh one. */
    String next(@Nullable String given) {
        if (given != null && !given.isBlank() && given.length() <= MAX_LENGTH && taken.add(given)) {
            return given;
        }
        String id = fresh.get();
        while (!taken.add(id)) {
            id = fresh.get();
        }
        return id;
    }

    /** Ids of a prefix and so many random letters and digits. */
    static Supplier<String> random(RandomGenerator random, String prefix, int letters) {
        return () -> {
            StringBuilder id = new StringBuilder(prefix);
            for (int i = 0; i < letters; i++) {
                id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            return id.toString();
        };
    }
}
