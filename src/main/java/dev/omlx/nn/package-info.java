/** Building blocks of models: projections, norms, RoPE, attention over a ragged batch. Knows no architecture. */
@NullMarked
package dev.omlx.nn;

import org.jspecify.annotations.NullMarked;
