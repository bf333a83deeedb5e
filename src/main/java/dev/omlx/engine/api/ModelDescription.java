package dev.omlx.engine.api;

import java.time.Instant;
import java.util.List;

/**
 * A model as its users see it.
 *
 * @param id the name that requests use
 * @param aliases other names that mean the same model
 * @param created when its files were last written
 * @param contextLength most positions (prompt and answer together) a sequence may have
 * @param vocabularySize number of token ids
 */
public record ModelDescription(
        String id, List<String> aliases, Instant created, int contextLength, int vocabularySize) {
    public ModelDescription {
        aliases = List.copyOf(aliases);
    }
}
