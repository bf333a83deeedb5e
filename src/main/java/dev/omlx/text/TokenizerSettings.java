package dev.omlx.text;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
        Set<Integer> eosIds = ids(
                Json.optionalObject(directory.resolve("generation_config.json")).path("eos_token_id"));
        if (eosIds.isEmpty()) {
            JsonNode model = Json.optionalObject(directory.resolve("config.json"));
            eosIds = ids(model.path("eos_token_id"));
            eosIds.addAll(ids(model.path("text_config").path("eos_token_id")));
        }
        return new TokenizerSettings(named, eosIds, configuration);
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

    /** {@code 2} or {@code [2, 5]} */
    private static Set<Integer> ids(JsonNode value) {
        Set<Integer> ids = new LinkedHashSet<>();
        if (value.isInt()) {
            ids.add(value.asInt());
        }
        for (JsonNode id : value) {
            if (id.isInt()) {
                ids.add(id.asInt());
            }
        }
        return ids;
    }
}
