package dev.omlx.cli;

/** How a model is named on the command line. */
final class ModelNames {
    static final String DESCRIPTION = "Id of a model, a directory, or a .gguf file.";
    /** The key that says which model answers where a request names none. */
    static final String DEFAULT_MODEL_KEY = "omlx.models.default-model";

    private ModelNames() {}
}
