/** Ranks documents for a query, in the shapes of Cohere and Jina, and of text-embeddings-inference (TEI). */
@NullMarked
package dev.omlx.api.rerank;

import org.jspecify.annotations.NullMarked;
