/** Stand-ins that tests of several packages share. */
@NullMarked
package dev.omlx.testsupport;

import org.jspecify.annotations.NullMarked;
