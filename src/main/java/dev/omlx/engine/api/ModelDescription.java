package dev.omlx.engine.api;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A model as its users see it.
 *
 * @param id the name that requests use
 * @param aliases other names that mean the same model
 * @param created when its files were last written
 * @param contextLength most positions (prompt and answer together) a sequence may have
 * @param vocabularySize number of token ids
 * @param origin what it was loaded from
 * @param capabilities what it can do besides completing text
 */
public record ModelDescription(
        String id,
        List<String> aliases,
        Instant created,
        int contextLength,
        int vocabularySize,
        Origin origin,
        Set<Capability> capabilities) {
    public ModelDescription {
        aliases = List.copyOf(aliases);
        capabilities = Set.copyOf(capabilities);
    }

    /** The same model, known to be able to do that. */
    public ModelDescription with(Set<Capability> known) {
        return new ModelDescription(id, aliases, created, contextLength, vocabularySize, origin, known);
    }

    /**
     * The files of a model.
     *
     * @param architecture its family ({@code model_type})
     * @param layout {@code gguf} or {@code safetensors}
     * @param bytes size of the files
     */
    public record Origin(String architecture, String layout, long bytes) {}

    /** What not every model can do. */
    public enum Capability {
        /** Answer conversations. */
        CHAT,
        /** Call tools. */
        TOOLS,
        /** Think before it answers, in a way that its users can tell from the answer. */
        REASONING
    }
}
