/**
 * What operators see of the engine: {@code GET /health} and the Actuator's health probes. {@link
 * dev.omlx.observe.ObserveConfiguration} switches them on and is for the application class.
 */
@NullMarked
package dev.omlx.observe;

import org.jspecify.annotations.NullMarked;
