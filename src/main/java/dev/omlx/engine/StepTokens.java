package dev.omlx.engine;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The token ids of a step, some known to the host and some only to the step before, which is still under way. */
final class StepTokens {
    private final int[] host;
    /** For each row its place in the tokens of the step before, or -1. */
    private final int[] places;

    private MlxModelRunner.@Nullable Step before;

    StepTokens(int rows) {
        host = new int[rows];
        places = new int[rows];
        java.util.Arrays.fill(places, -1);
    }

    void host(int row, int token) {
        host[row] = token;
    }

    void device(int row, Generation.@Nullable DeviceToken token) {
        Generation.DeviceToken sampled = Objects.requireNonNull(token, "no token is under way");
        if (before != null && before != sampled.step()) {
            throw new IllegalStateException("tokens of two steps are under way");
        }
        before = sampled.step();
        places[row] = sampled.row();
    }

    /** {@code [rows]} int32. */
    Tensor build() {
        if (before == null) {
            return Tensor.of(host, host.length);
        }
        Tensor sampled = before.tokens();
        int count = sampled.dim(0);
        if (isAllOf(count)) {
            return sampled;
        }
        int[] from = new int[host.length];
        for (int row = 0; row < from.length; row++) {
            from[row] = places[row] >= 0 ? places[row] : count + row;
        }
        Tensor both = Ops.concatenate(0, sampled, Tensor.of(host, host.length));
        return Ops.take(both, Tensor.of(from, from.length), 0);
    }

    private boolean isAllOf(int count) {
        if (count != places.length) {
            return false;
        }
        for (int row = 0; row < count; row++) {
            if (places[row] != row) {
                return false;
            }
        }
        return true;
    }
}
