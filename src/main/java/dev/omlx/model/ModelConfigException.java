package dev.omlx.model;

/** A model's configuration cannot be used. The message names the file, the key, its value and what is wrong with it. */
public final class ModelConfigException extends RuntimeException {
    public ModelConfigException(String file, String key, String fault) {
        super(file + ": '" + key + "' " + fault);
    }

    /** The file as a whole is at fault. */
    public ModelConfigException(String file, String fault) {
        super(file + ": " + fault);
    }
}
