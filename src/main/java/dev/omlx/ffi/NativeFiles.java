package dev.omlx.ffi;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A place that files of the native library are read from: the application's jar, in tests anything. */
@FunctionalInterface
interface NativeFiles {

    /** The content of a file, or null if there is none of that name. The caller closes it. */
    @Nullable
    InputStream open(String name) throws IOException;
}
