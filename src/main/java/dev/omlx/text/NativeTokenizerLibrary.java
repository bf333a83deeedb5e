package dev.omlx.text;

import ai.djl.engine.EngineException;
import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Loads DJL's build of the Hugging Face tokenizers. DJL is steered by system properties alone, so this is the one place
 * that sets them: never look for CUDA, never download, unpack the library where we are told to.
 */
public final class NativeTokenizerLibrary {

    private static @Nullable Path cache;
    private static boolean loaded;

    private NativeTokenizerLibrary() {}

    /**
     * Chooses the folder that the native library is unpacked to; the default is DJL's own in the user's home. Has an
     * effect only before the first tokenizer is made.
     */
    public static synchronized void unpackTo(Path folder) {
        cache = folder;
    }

    static synchronized TokenizersLibrary load() {
        if (!loaded) {
            System.setProperty("RUST_FLAVOR", "cpu");
            System.setProperty("ai.djl.offline", "true");
            if (cache != null) {
                System.setProperty("ENGINE_CACHE_DIR", cache.toString());
            }
            try {
                LibUtils.checkStatus();
            } catch (EngineException | LinkageError e) {
                throw new IllegalStateException(
                        "the native tokenizer library cannot be loaded from "
                                + (cache == null ? "DJL's cache in the user's home" : cache) + ": " + e.getMessage(),
                        e);
            }
            loaded = true;
        }
        return TokenizersLibrary.LIB;
    }
}
