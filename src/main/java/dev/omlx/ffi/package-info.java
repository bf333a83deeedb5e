/**
 * Brings mlx-c into the process and to the point where its functions can be called: finding and loading the native
 * library, the error handler, the version check, and the raw bindings in {@code ffi.gen}. Only the package {@code mlx}
 * may use it; everything else talks to {@code mlx}. Needs nothing but the JDK and words for file failures.
 */
@NullMarked
package dev.omlx.ffi;

import org.jspecify.annotations.NullMarked;
