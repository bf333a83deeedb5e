/**
 * What the engine takes and gives: requests, events, errors and the {@link dev.omlx.engine.api.InferenceEngine} port.
 * The HTTP faces, the command line and the Spring AI models know the engine by this package alone.
 */
@NullMarked
package dev.omlx.engine.api;

import org.jspecify.annotations.NullMarked;
