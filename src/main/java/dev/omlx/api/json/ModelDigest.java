package dev.omlx.api.json;

import dev.omlx.engine.api.ModelDescription;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** 64 hexadecimal digits that are the same for the same model files under the same settings. */
public final class ModelDigest {
    private ModelDigest() {}

    public static String of(ModelDescription model) {
        String identity =
                "%s|%s|%d|%d".formatted(model.id(), model.created(), model.contextLength(), model.vocabularySize());
        return HexFormat.of().formatHex(sha256().digest(identity.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }
}
