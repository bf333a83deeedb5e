package dev.omlx.ffi;

/** A call into MLX failed. The message is the name of the call followed by MLX's own text. */
public final class MlxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String call;

    MlxException(String call, String text) {
        super(call + ": " + text);
        this.call = call;
    }

    /** The function that failed, such as {@code mlx_matmul}. */
    public String call() {
        return call;
    }
}
