package dev.omlx.engine;

/** A model does not fit below the memory ceiling. Found from its files' headers, before any weight is read. */
public final class ModelTooLargeException extends RuntimeException {
    /**
     * @param weightBytes of its weights in memory
     * @param workingBytes that it needs besides for the shortest answer
     * @param ceilingBytes that MLX may hold
     */
    ModelTooLargeException(String model, long weightBytes, long workingBytes, long ceilingBytes) {
        super("the model '" + model + "' does not fit: it takes " + mebibytes(weightBytes + workingBytes) + " ("
                + mebibytes(weightBytes) + " of weights and " + mebibytes(workingBytes)
                + " to work with), but MLX may hold " + mebibytes(ceilingBytes)
                + "; raise omlx.memory.max, or take a smaller model");
    }

    private static String mebibytes(long bytes) {
        return Math.ceilDiv(bytes, 1 << 20) + " MiB";
    }
}
