/** Says in words why a file or folder cannot be used, or a JSON text not be read. Everybody may use it. */
@NullMarked
package dev.omlx.files;

import org.jspecify.annotations.NullMarked;
