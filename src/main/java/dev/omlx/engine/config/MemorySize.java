package dev.omlx.engine.config;

import java.util.Locale;
import org.springframework.util.unit.DataSize;

/** An amount of memory: so many bytes, or a share of the machine's. */
public sealed interface MemorySize {
    /** Bytes of it on a machine with that much memory, which may be more than that. */
    long of(long machineBytes);

    /**
     * Reads {@code 512MB}, {@code 6GB}, bare bytes, or a share such as {@code 80%}.
     *
     * @throws IllegalArgumentException if it is none of these, or not above zero
     */
    static MemorySize valueOf(String text) {
        String trimmed = text.strip();
        try {
            return trimmed.endsWith("%")
                    ? new Share(Double.parseDouble(trimmed.substring(0, trimmed.length() - 1)) / 100)
                    : new Bytes(DataSize.parse(trimmed.toUpperCase(Locale.ROOT)).toBytes());
        } catch (IllegalArgumentException e) {
            // without the cause: this is the message to show
            throw new IllegalArgumentException("'" + text
                    + "' is no amount of memory: write a size such as 6GB or 512MB, or a share such as 80%, at"
                    + " most 100%");
        }
    }

    /** Takes what a YAML file holds as a number. */
    static MemorySize valueOf(Integer bytes) {
        return valueOf(bytes.toString());
    }

    /** Takes what a YAML file holds as a large number. */
    static MemorySize valueOf(Long bytes) {
        return valueOf(bytes.toString());
    }

    /**
     * So many bytes.
     *
     * @param bytes above 0
     */
    record Bytes(long bytes) implements MemorySize {
        public Bytes {
            if (bytes <= 0) {
                throw new IllegalArgumentException("not above zero: " + bytes);
            }
        }

        @Override
        public long of(long machineBytes) {
            return bytes;
        }
    }

    /**
     * A share of the machine's memory.
     *
     * @param share above 0, at most 1
     */
    record Share(double share) implements MemorySize {
        public Share {
            if (!(share > 0 && share <= 1)) {
                throw new IllegalArgumentException("not a share above 0 % and up to 100 %: " + share);
            }
        }

        @Override
        public long of(long machineBytes) {
            return (long) (machineBytes * share);
        }
    }
}
