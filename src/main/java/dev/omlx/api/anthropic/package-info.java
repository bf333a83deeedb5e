/** The Anthropic dialect: messages, token counts, models, and the shape of errors. */
@NullMarked
package dev.omlx.api.anthropic;

import org.jspecify.annotations.NullMarked;
