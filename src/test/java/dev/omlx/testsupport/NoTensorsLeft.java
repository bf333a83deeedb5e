package dev.omlx.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.mlx.Tensor;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test that leaves tensors behind once its own clean-up is done. */
public final class NoTensorsLeft implements BeforeEachCallback, AfterEachCallback {
    private long live;

    @Override
    public void beforeEach(ExtensionContext extension) {
        live = Tensor.live();
    }

    @Override
    public void afterEach(ExtensionContext extension) {
        assertThat(Tensor.live()).as("live tensors").isEqualTo(live);
    }
}
