package dev.omlx.api.ollama;

import dev.omlx.api.json.ModelDigest;
import dev.omlx.engine.api.ModelDescription;
import java.time.Duration;
import java.time.Instant;

/**
 * A model that is loaded.
 *
 * @param expiresAt when it will be unloaded: in a time that no client waits for
 * @param sizeVram bytes of it that the device holds, which is all of them
 */
record RunningModel(
        String name,
        String model,
        long size,
        String digest,
        ModelBody.Details details,
        String expiresAt,
        long sizeVram,
        int contextLength) {
    private static final Duration NEVER = Duration.ofDays(36_500);

    static RunningModel of(ModelDescription model) {
        String name = ModelNames.of(model);
        return new RunningModel(
                name,
                name,
                model.origin().bytes(),
                ModelDigest.of(model),
                ModelBody.Details.of(model),
                Instant.now().plus(NEVER).toString(),
                model.origin().bytes(),
                model.contextLength());
    }
}
