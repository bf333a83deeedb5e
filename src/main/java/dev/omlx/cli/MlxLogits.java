package dev.omlx.cli;

import dev.omlx.engine.ModelProbe;
import dev.omlx.engine.config.CommandSettings;
import java.nio.file.Path;

/** A model's numbers as the engine would compute them here. */
final class MlxLogits implements LogitsSource {
    private final ModelProbe probe;

    private MlxLogits(ModelProbe probe) {
        this.probe = probe;
    }

    static MlxLogits open(Path model, CommandSettings settings) {
        return new MlxLogits(
                ModelProbe.open(model, settings.nativeLibrary(), settings::precision, settings.memoryCeiling()));
    }

    @Override
    public ModelProbe.Reading read(int[] ids, int greedy) {
        return probe.read(ids, greedy);
    }

    @Override
    public void close() {
        probe.close();
    }
}
