/** JSON as all dialects write it. */
@NullMarked
package dev.omlx.api.json;

import org.jspecify.annotations.NullMarked;
