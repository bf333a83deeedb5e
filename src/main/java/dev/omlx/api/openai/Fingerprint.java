package dev.omlx.api.openai;

import dev.omlx.api.json.ModelDigest;
import dev.omlx.engine.api.ModelDescription;

/** The {@code system_fingerprint}: the same for the same model files under the same settings. */
final class Fingerprint {
    private static final int DIGITS = 10;

    private Fingerprint() {}

    static String of(ModelDescription model) {
        return "fp_" + ModelDigest.of(model).substring(0, DIGITS);
    }
}
