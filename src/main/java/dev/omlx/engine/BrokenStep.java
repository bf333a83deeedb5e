package dev.omlx.engine;

/** A step that could not even be built or started: it fails in its turn, when it is read. */
record BrokenStep(RuntimeException fault) implements ModelRunner.BuiltStep {
    @Override
    public void start() {}

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
