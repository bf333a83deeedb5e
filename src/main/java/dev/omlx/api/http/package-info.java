/** What every HTTP exchange goes through before it reaches a face, and the limits of its connection. */
@NullMarked
package dev.omlx.api.http;

import org.jspecify.annotations.NullMarked;
