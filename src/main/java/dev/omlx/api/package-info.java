/**
 * The HTTP faces over {@link dev.omlx.engine.api.InferenceEngine}. {@link dev.omlx.api.ApiConfiguration} switches them
 * on and {@link dev.omlx.api.ServerProperties} sets their limits; both are for the application class, and {@link
 * dev.omlx.api.ServerVersion} is for whoever shows the version. Nothing else of this module is for other modules.
 */
@NullMarked
package dev.omlx.api;

import org.jspecify.annotations.NullMarked;
