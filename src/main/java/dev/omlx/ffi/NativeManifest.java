package dev.omlx.ffi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The list of files that make up the native library, as {@code native-lib/build.sh} leaves it in
 * {@code manifest.txt}: a line {@code sha256 bytes name} for each.
 *
 * @param hash tells this set of files from any other
 */
record NativeManifest(List<Entry> files, String hash) {

    static final String FILE_NAME = "manifest.txt";

    private static final int HASH_LENGTH = 16;

    record Entry(String sha256, long bytes, String name) {}

    static NativeManifest parse(byte[] content) {
        List<Entry> files = new String(content, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .map(NativeManifest::entry)
                .toList();
        if (files.isEmpty()) {
            throw new NativeLibraryException("the native library's " + FILE_NAME + " is empty");
        }
        return new NativeManifest(
                files, HexFormat.of().formatHex(sha256().digest(content)).substring(0, HASH_LENGTH));
    }

    /** Whether that could be the {@link #hash} of a set of files. */
    static boolean isHash(String text) {
        return text.matches("[0-9a-f]{" + HASH_LENGTH + "}");
    }

    private static Entry entry(String line) {
        String[] parts = line.split(" ", 3);
        if (parts.length != 3
                || !parts[0].matches("[0-9a-f]{64}")
                || !parts[1].matches("\\d{1,18}")
                || !parts[2].matches("[\\w.+-]+")
                || parts[2].startsWith(".")) {
            throw new NativeLibraryException("not a line of the native library's " + FILE_NAME + ": " + line);
        }
        return new Entry(parts[0], Long.parseLong(parts[1]), parts[2]);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
