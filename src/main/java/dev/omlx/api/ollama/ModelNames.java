package dev.omlx.api.ollama;

import dev.omlx.engine.api.ModelDescription;

/** Names of models, which have a tag in this dialect. */
final class ModelNames {
    /** The tag that clients add to a name, or leave out, as they like. */
    private static final String LATEST = ":latest";

    private ModelNames() {}

    /** The id or alias that a client means. */
    static String id(String name) {
        return name.endsWith(LATEST) ? name.substring(0, name.length() - LATEST.length()) : name;
    }

    /** What clients are told a model's name is. */
    static String of(ModelDescription model) {
        return model.id().contains(":") ? model.id() : model.id() + LATEST;
    }
}
