package dev.omlx.text;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What the files beside a {@code tokenizer.json} say.
 *
 * @param namedTokens texts that templates know as {@code bos_token}, {@code eos_token} and so on
 * @param eosIds the ids that {@code generation_config.json} or {@code config.json} end an answer with
 * @param configuration {@code tokenizer_config.json}
 */
record TokenizerSettings(Map<String, String> namedTokens, Set<Integer> eosIds, JsonNode configuration) {

    static TokenizerSettings read(Path directory) {
        JsonNode configuration = Json.optionalObject(directory.resolve("tokenizer_config.json"));
        Map<String, String> named = new LinkedHashMap<>();
        addNamedTokens(Json.optionalObject(directory.resolve("special_tokens_map.json")), named);
        addNamedTokens(configuration, named);
        Set<Integer> ofGeneration = eosIds(directory.resolve("generation_config.json"));
        Set<Integer> ofModel = eosIds(directory.resolve("config.json"));
        return new TokenizerSettings(named, ofGeneration.isEmpty() ? ofModel : ofGeneration, configuration);
    }

    /** {@code "bos_token": "<s>"} or {@code "bos_token": {"content": "<s>", …}} */
    private static void addNamedTokens(JsonNode object, Map<String, String> named) {
        object.properties().forEach(entry -> {
            JsonNode value = entry.getValue().isObject() ? entry.getValue().path("content") : entry.getValue();
            if (entry.getKey().endsWith("_token") && value.isString()) {
                named.put(entry.getKey(), value.asString());
            }
        });
    }

    private static Set<Integer> eosIds(Path file) {
        JsonNode object = Json.optionalObject(file);
        Set<Integer> ids = ids(file, "eos_token_id", object.path("eos_token_id"));
        ids.addAll(
                ids(file, "text_config.eos_token_id", object.path("text_config").path("eos_token_id")));
        return ids;
    }

    /** {@code 2} or {@code [2, 5]} */
    private static Set<Integer> ids(Path file, String key, JsonNode value) {
        Set<Integer> ids = new LinkedHashSet<>();
        if (value.isMissingNode() || value.isNull()) {
            return ids;
        }
        for (JsonNode id : value.isArray() ? value : List.of(value)) {
            if (!id.isInt()) {
                throw TextException.broken(
                        file.toString(), "'" + key + "' must be a token id or a list of them, not " + shown(value));
            }
            ids.add(id.asInt());
        }
        return ids;
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
