/** Streams for all dialects, of events or of lines: their frames, how they reach the client, what is sent in silence. */
@NullMarked
package dev.omlx.api.stream;

import org.jspecify.annotations.NullMarked;
