/**
 * How the next token is chosen out of logits: for all rows of a step at once, in the graph. Knows tensors, neither
 * requests nor models.
 */
@NullMarked
package dev.omlx.sampling;

import org.jspecify.annotations.NullMarked;
