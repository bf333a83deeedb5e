/**
 * Checkpoint files on disk: safetensors and GGUF, read as untrusted input, mapped into memory and turned into plain
 * host tensors. A model loader opens a {@link dev.omlx.model.weights.Checkpoint}, looks its tensors up by name and
 * copies or converts them through {@link dev.omlx.model.weights.HostTensors}; every fault of a file is a
 * {@link dev.omlx.model.weights.CheckpointException}. Used by {@code model} only.
 */
@NullMarked
package dev.omlx.model.weights;

import org.jspecify.annotations.NullMarked;
