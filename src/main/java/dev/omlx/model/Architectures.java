package dev.omlx.model;

import java.util.Map;
import java.util.TreeMap;

/** The architectures we know, by {@code model_type}. */
final class Architectures {
    private static final Map<String, Architecture> BY_TYPE = new TreeMap<>(Map.of(
            "llama", new Llama(),
            "mistral", new Mistral(),
            "qwen2", new Qwen2(),
            "qwen3", new Qwen3()));

    private Architectures() {}

    static Architecture of(ConfigReader config) {
        String type = config.text("model_type");
        if (type == null) {
            throw config.fault("model_type", "is missing");
        }
        Architecture architecture = BY_TYPE.get(type);
        if (architecture == null) {
            throw config.fault("model_type", "is '" + type + "'; supported are " + String.join(", ", BY_TYPE.keySet()));
        }
        return architecture;
    }
}
