package dev.omlx.api.openai;

import dev.omlx.engine.api.ModelDescription;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The {@code system_fingerprint}: the same for the same model files under the same settings. */
final class Fingerprint {
    private static final int BYTES = 5;

    private Fingerprint() {}

    static String of(ModelDescription model) {
        String identity =
                "%s|%s|%d|%d".formatted(model.id(), model.created(), model.contextLength(), model.vocabularySize());
        byte[] hash = sha256().digest(identity.getBytes(StandardCharsets.UTF_8));
        return "fp_" + HexFormat.of().formatHex(hash, 0, BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }
}
