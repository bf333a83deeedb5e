package dev.omlx.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** A key that clients show to be served. Only its SHA-256 is kept, so that no dump, log or page can give it away. */
public final class ApiKey {
    private static final String HASHED = "sha256:";
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final int NAME_BYTES = 4;

    private final byte[] hash;

    private ApiKey(byte[] hash) {
        this.hash = hash;
    }

    /**
     * Reads a key of the configuration: the key itself, or {@code sha256:} and the 64 hexadecimal digits of its hash.
     *
     * @throws IllegalArgumentException if it is blank or no such hash
     */
    public static ApiKey valueOf(String configured) {
        if (configured.startsWith(HASHED)) {
            String digits = configured.substring(HASHED.length());
            if (!SHA_256.matcher(digits).matches()) {
                throw new IllegalArgumentException("after 'sha256:' there must be 64 hexadecimal digits");
            }
            return new ApiKey(HexFormat.of().parseHex(digits));
        }
        if (configured.isBlank()) {
            throw new IllegalArgumentException("a key must not be blank");
        }
        return new ApiKey(hash(configured.strip()));
    }

    /** Takes the same time whatever the hashes are. */
    boolean matches(byte[] otherHash) {
        return MessageDigest.isEqual(hash, otherHash);
    }

    static byte[] hash(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    /** What it is called in logs: the first digits of its hash. */
    @Override
    public String toString() {
        return HASHED + HexFormat.of().formatHex(hash, 0, NAME_BYTES);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ApiKey key && matches(key.hash);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(hash);
    }
}
