/**
 * The OpenAPI document. It is written by hand, a file a face, beside this package's classes; tests hold it against the
 * routes and against what goes over the wire.
 */
@NullMarked
package dev.omlx.api.openapi;

import org.jspecify.annotations.NullMarked;
