/**
 * Takes apart what a model wrote: what it thought, what it says, which tools it calls. {@link
 * dev.omlx.parse.OutputFormat} recognises a model's way of writing by its chat template; an {@link
 * dev.omlx.parse.OutputParser} reads one answer as it comes, and gives the same however the text is cut into pieces.
 * Knows neither Spring nor MLX.
 */
@NullMarked
package dev.omlx.parse;

import org.jspecify.annotations.NullMarked;
