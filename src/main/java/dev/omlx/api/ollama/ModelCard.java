package dev.omlx.api.ollama;

import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.ModelDescription.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What there is to know of one model.
 *
 * @param modelfile empty, as {@code parameters} and {@code template} are: there is no such file
 * @param modelInfo facts by their names in a GGUF file
 * @param capabilities in Ollama's words
 */
record ModelCard(
        String modelfile,
        String parameters,
        String template,
        ModelBody.Details details,
        Map<String, Object> modelInfo,
        List<String> capabilities,
        String modifiedAt) {
    static ModelCard of(ModelDescription model) {
        String architecture = model.origin().architecture();
        Map<String, Object> facts = Map.of(
                "general.architecture",
                architecture,
                architecture + ".context_length",
                model.contextLength(),
                architecture + ".vocab_size",
                model.vocabularySize());
        return new ModelCard(
                "",
                "",
                "",
                ModelBody.Details.of(model),
                facts,
                capabilities(model),
                model.created().toString());
    }

    private static List<String> capabilities(ModelDescription model) {
        List<String> words = new ArrayList<>(List.of("completion"));
        if (model.capabilities().contains(Capability.TOOLS)) {
            words.add("tools");
        }
        if (model.capabilities().contains(Capability.REASONING)) {
            words.add("thinking");
        }
        return words;
    }
}
