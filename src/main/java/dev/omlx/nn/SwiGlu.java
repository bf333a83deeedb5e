package dev.omlx.nn;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;

/** The gated feed-forward block {@code down(silu(gate(x)) · up(x))} (arXiv:2002.05202). */
public record SwiGlu(Linear gate, Linear up, Linear down) {
    public Tensor apply(Tensor x) {
        return down.apply(Ops.multiply(Silu.apply(gate.apply(x)), up.apply(x)));
    }
}
