/**
 * Text on its way into and out of a model: tokenizers behind the port {@link dev.omlx.text.Tokenizer}, the incremental
 * detokeniser, the stop string matcher and chat templates. Knows neither Spring nor MLX; every package above may use it.
 */
@NullMarked
package dev.omlx.text;

import org.jspecify.annotations.NullMarked;
