package dev.omlx.engine;

/** A step that could not even be started: it fails in its turn, when it is read. */
record BrokenStep(RuntimeException fault) implements ModelRunner.LaunchedStep {
    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public ModelRunner.Outcome read() {
        throw fault;
    }

    @Override
    public void close() {}
}
