/** The KV cache's tensors: the only part of {@code kv} that touches MLX. Knows no scheduler and no model. */
@NullMarked
package dev.omlx.kv.tensor;

import org.jspecify.annotations.NullMarked;
