/** The engine as a Spring bean: its configuration keys, and when it loads, drains and closes. */
@NullMarked
package dev.omlx.engine.config;

import org.jspecify.annotations.NullMarked;
