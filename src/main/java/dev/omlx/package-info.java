/** oMLX for Java: an LLM inference server that runs models through MLX. Each sub-package is one module. */
@NullMarked
package dev.omlx;

import org.jspecify.annotations.NullMarked;
