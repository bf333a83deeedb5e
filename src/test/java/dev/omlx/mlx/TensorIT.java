package dev.omlx.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.ffi.MlxException;
import dev.omlx.testsupport.NativeMlx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TensorIT {
    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    @Test
    void computesOnDemand() {
        try (TensorScope scope = TensorScope.open()) {
            Tensor a = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
            Tensor b = Ops.matmul(a, Ops.transpose(a, 1, 0));
            assertThat(b.toFloats()).containsExactly(5, 11, 11, 25);
            assertThat(b.shape()).containsExactly(2, 2);
            assertThat(Ops.slice(b, 1, 1, 2).toFloats()).containsExactly(11, 25);
        }
    }

    @Test
    void scopeFreesAllButWhatIsKept() {
        long before = Tensor.live();
        Tensor kept;
        try (TensorScope scope = TensorScope.open()) {
            kept = Ops.add(Tensor.of(new float[] {1}, 1), Tensor.of(new float[] {2}, 1))
                    .keep();
            try (TensorScope inner = TensorScope.open()) {
                Ops.zeros(DType.FLOAT32, 10);
            }
            assertThat(Tensor.live()).isEqualTo(before + 3);
        }
        assertThat(Tensor.live()).isEqualTo(before + 1);
        assertThat(kept.toFloats()).containsExactly(3);
        kept.close();
        assertThat(Tensor.live()).isEqualTo(before);
        assertThatThrownBy(kept::toFloats)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aScopeGetsTheResultOfWhatIsFreed() {
        long before = Tensor.live();
        try (TensorScope scope = TensorScope.open()) {
            Tensor result = TensorScope.resultOf(
                    () -> Ops.add(Tensor.scalar(1, DType.FLOAT32), Tensor.scalar(2, DType.FLOAT32)));
            assertThat(Tensor.live()).isEqualTo(before + 1);
            assertThat(result.toFloats()).containsExactly(3);
        }
        assertThat(Tensor.live()).isEqualTo(before);
    }

    @Test
    void anOuterScopeCanBeMadeIn() {
        try (TensorScope outer = TensorScope.open()) {
            Tensor lasting;
            try (TensorScope inner = TensorScope.open()) {
                lasting = outer.make(() -> Tensor.scalar(7, DType.FLOAT32));
                assertThat(TensorScope.innermost()).isSameAs(inner);
            }
            assertThat(lasting.toFloats()).containsExactly(7);
        }
    }

    @Test
    void refusesAnotherThread() {
        try (TensorScope scope = TensorScope.open()) {
            Tensor mine = Tensor.of(new float[] {1}, 1);
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> {
                                try (TensorScope other = TensorScope.open()) {
                                    Ops.add(mine, mine);
                                }
                            })
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was used on thread");
        }
    }

    @Test
    void refusesWorkOutsideAScope() {
        assertThatThrownBy(() -> Ops.zeros(DType.FLOAT32, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no TensorScope");
    }

    @Test
    void tellsWhatMlxRefused() {
        try (TensorScope scope = TensorScope.open()) {
            Tensor a = Ops.zeros(DType.FLOAT32, 2, 3);
            assertThatThrownBy(() -> Ops.matmul(a, a))
                    .isInstanceOf(MlxException.class)
                    .hasMessageContaining("matmul")
                    .hasMessageContaining("(2,3)");
            assertThat(Ops.add(a, a).toFloats()).hasSize(6);
        }
    }

    @Test
    void scalarsTakeEveryType() {
        try (TensorScope scope = TensorScope.open()) {
            for (DType dtype :
                    new DType[] {DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.INT32, DType.UINT8, DType.INT64}) {
                Tensor scalar = Tensor.scalar(3, dtype);
                assertThat(scalar.dtype()).isEqualTo(dtype);
                assertThat(scalar.toFloats()).containsExactly(3);
            }
        }
    }
}
