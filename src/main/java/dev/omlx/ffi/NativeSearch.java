package dev.omlx.ffi;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where to look for the native library.
 *
 * @param folder the folder that holds it; if given, nothing else is tried
 * @param project a checkout of the project, whose {@code native-lib/dist/<os>-<arch>} is tried last
 * @param unpackTo where the library is unpacked to if the application's jar carries one ({@code <omlx.home>/native})
 */
public record NativeSearch(@Nullable Path folder, Path project, Path unpackTo) {}
