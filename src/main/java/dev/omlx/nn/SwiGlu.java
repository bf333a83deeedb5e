package dev.omlx.nn;

import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.Tensor;

/** The gated feed-forward block {@code down(silu(gate(x)) · up(x))} (arXiv:2002.05202). */
public record SwiGlu(Linear gate, Linear up, Linear down) {
    public Tensor apply(Tensor x) {
        return down.apply(FastOps.siluProduct(gate.apply(x), up.apply(x)));
    }
}
