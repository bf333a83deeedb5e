/** Server-sent events for all dialects: their frames, how they reach the client, and what is sent in silence. */
@NullMarked
package dev.omlx.api.sse;

import org.jspecify.annotations.NullMarked;
