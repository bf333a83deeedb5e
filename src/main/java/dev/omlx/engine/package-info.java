/**
 * The engine: the one thread that owns MLX, the step loop, the models' life and the way of a request from prompt to
 * events.
 */
@NullMarked
package dev.omlx.engine;

import org.jspecify.annotations.NullMarked;
