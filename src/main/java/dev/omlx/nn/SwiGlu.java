package dev.omlx.nn;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;

/** The gated feed-forward block {@code down(silu(gate(x)) · up(x))} (arXiv:2002.05202). */
public record SwiGlu(Linear gate, Linear up, Linear down) {
    public Tensor apply(Tensor x) {
        Tensor gated = gate.apply(x);
        Tensor silu = Ops.multiply(gated, Ops.sigmoid(gated));
        return down.apply(Ops.multiply(silu, up.apply(x)));
    }
}
