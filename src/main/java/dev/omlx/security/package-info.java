/** Who may call the server: its API keys, and how much the holder of one may ask for. */
@NullMarked
package dev.omlx.security;

import org.jspecify.annotations.NullMarked;
