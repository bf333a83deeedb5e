/** Says in words why a file or folder cannot be used. Needs nothing but the JDK, and everybody may use it. */
@NullMarked
package dev.omlx.files;

import org.jspecify.annotations.NullMarked;
