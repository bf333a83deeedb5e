/** The OpenAI dialect: chat completions, models, and the shape of errors. */
@NullMarked
package dev.omlx.api.openai;

import org.jspecify.annotations.NullMarked;
