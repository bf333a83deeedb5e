/**
 * Language models: their configuration, weights and architectures, each of which is one small file on the blocks of
 * {@code nn}. Knows tensors, not requests.
 */
@NullMarked
package dev.omlx.model;

import org.jspecify.annotations.NullMarked;
