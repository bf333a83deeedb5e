/**
 * OpenAI's responses: a request's input and a response's output are items, and a response that is kept can be gone on
 * from by its id.
 */
@NullMarked
package dev.omlx.api.openai.responses;

import org.jspecify.annotations.NullMarked;
