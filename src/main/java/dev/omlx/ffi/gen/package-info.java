/**
 * The raw bindings of mlx-c, written by {@code native-lib/bindgen/BindingGenerator.java}: a static method for each
 * function under its C name. A {@code long} is an address, a handle or a {@code size_t}, as the line above each method
 * says; nothing is checked. {@code MlxLibrary.load} must have run before the first call. Only the package {@code mlx} may use it.
 */
@NullMarked
package dev.omlx.ffi.gen;

import org.jspecify.annotations.NullMarked;
