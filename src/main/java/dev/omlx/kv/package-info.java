/** The KV cache: what earlier tokens left behind for attention. */
@NullMarked
package dev.omlx.kv;

import org.jspecify.annotations.NullMarked;
