/**
 * How all dialects read a request: its body within its limits, then field by field, so that whatever is wrong is named
 * by its field.
 */
@NullMarked
package dev.omlx.api.request;

import org.jspecify.annotations.NullMarked;
