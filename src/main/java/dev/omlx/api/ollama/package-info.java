/** The Ollama face, a thin one: answers, embeddings and what there is to know of models; no model is changed by it. */
@NullMarked
package dev.omlx.api.ollama;

import org.jspecify.annotations.NullMarked;
