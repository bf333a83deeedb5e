package dev.omlx.engine.config;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where things are.
 *
 * @param home folder of models, caches and logs; by default {@code .omlx} in the user's home
 * @param nativeLibrary folder of the MLX library; by default the one in the jar, or in the project's
 *     {@code native-lib/dist}
 */
@ConfigurationProperties("omlx")
public record OmlxProperties(@Nullable Path home, @Nullable Path nativeLibrary) {
    public OmlxProperties {
        Path folder = OmlxHome.of(home).folder();
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("omlx.home is " + folder + ", which is no folder");
        }
        if (nativeLibrary != null && !Files.isDirectory(nativeLibrary)) {
            throw new IllegalArgumentException("omlx.native-library is " + nativeLibrary + ", which is no folder");
        }
    }
}
