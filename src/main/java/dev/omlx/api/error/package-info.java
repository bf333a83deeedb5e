/** What goes wrong for a client: one {@link dev.omlx.api.error.ApiError} for all dialects, and its way to the wire. */
@NullMarked
package dev.omlx.api.error;

import org.jspecify.annotations.NullMarked;
