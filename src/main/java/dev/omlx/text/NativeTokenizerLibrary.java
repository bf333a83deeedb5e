package dev.omlx.text;

import ai.djl.engine.EngineException;
import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import ai.djl.util.Platform;
import ai.djl.util.Utils;
import dev.omlx.files.FileFailures;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * Loads DJL's build of the Hugging Face tokenizers. DJL is steered by system properties alone, so this is the one place
 * that sets them. Its jar's library is unpacked here: DJL itself would only log why it could not.
 */
public final class NativeTokenizerLibrary {
    private static final String NAME = "tokenizers";

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

    /** @throws TextException if it can be unpacked or loaded nowhere */
    static synchronized TokenizersLibrary load() {
        if (!loaded) {
            Path library = unpacked(Platform.detectPlatform(NAME));
            System.setProperty("RUST_LIBRARY_PATH", library.toString());
            System.setProperty("ai.djl.offline", "true");
            try {
                LibUtils.checkStatus();
            } catch (EngineException | LinkageError e) {
                throw unusable("cannot be loaded from " + library + ": " + e.getMessage(), e);
            }
            loaded = true;
        }
        return TokenizersLibrary.LIB;
    }

    /** The library's file. It appears by one atomic rename, so it is whole, and several processes may start at once. */
    private static Path unpacked(Platform platform) {
        Path home = cache != null ? cache.resolve(NAME) : Utils.getEngineCacheDir(NAME);
        Path folder = home.resolve(platform.getVersion() + "-cpu-" + platform.getClassifier())
                .toAbsolutePath();
        String name = System.mapLibraryName(NAME);
        Path library = folder.resolve(name);
        if (Files.isRegularFile(library)) {
            return library;
        }
        String resource = "/native/lib/" + platform.getClassifier() + "/cpu/" + name;
        try (InputStream in = LibUtils.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw unusable("is not made for " + platform.getClassifier(), null);
            }
            Files.createDirectories(folder);
            Path fresh = Files.createTempFile(folder, NAME, null);
            try {
                Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
                Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
            return library;
        } catch (IOException e) {
            throw unusable("cannot be unpacked to " + home + ": " + FileFailures.reason(e), e);
        }
    }

    private static TextException unusable(String why, @Nullable Throwable cause) {
        return new TextException(TextException.Kind.LIBRARY_UNUSABLE, "the native tokenizer library " + why, cause);
    }
}
