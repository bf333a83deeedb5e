/** The OpenAI dialect: chat completions, completions, embeddings, models, and the shape of errors. */
@NullMarked
package dev.omlx.api.openai;

import org.jspecify.annotations.NullMarked;
