/**
 * MLX for Java: owned tensors, the operations on them, devices and memory. The only package that calls the native
 * bindings; nothing above it sees a native handle or a memory address. Knows no model.
 */
@NullMarked
package dev.omlx.mlx;

import org.jspecify.annotations.NullMarked;
