package dev.omlx.text;

import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Faults of a {@code tokenizer.json} that the native library answers by aborting the process instead of reporting
 * them. They are looked for before the file is handed over.
 */
final class NativeHazards {

    private NativeHazards() {}

    /**
     * @return the document to hand over: the given one, or one with the same meaning
     * @throws TextException if the file has such a fault
     */
    static String check(TokenizerFile file, String json) {
        String checked = json;
        String map = charsMap(file.name(), file.normalizer());
        if (map != null && !json.contains('"' + map + '"')) {
            // the library takes this string only if it is written without escapes
            checked = Json.MAPPER.writeValueAsString(Json.object(file.name(), json));
        }
        if (!file.subwordPrefix().isEmpty()) {
            checkMerges(file, Json.object(file.name(), json).path("model"));
        }
        return checked;
    }

    private static @Nullable String charsMap(String name, @Nullable JsonNode normalizer) {
        if (normalizer == null) {
            return null;
        }
        if (normalizer.path("type").asString("").equals("Precompiled")) {
            JsonNode map = normalizer.path("precompiled_charsmap");
            if (!map.isString() || !isSound(map.asString())) {
                throw TextException.broken(name, "the normalizer's precompiled_charsmap is damaged");
            }
            return map.asString();
        }
        for (JsonNode part : normalizer.path("normalizers")) {
            String map = charsMap(name, part);
            if (map != null) {
                return map;
            }
        }
        return null;
    }

    private static boolean isSound(String base64) {
        try {
            return CharsMap.isSound(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The second half of a merge is cut by the prefix's length, without looking. */
    private static void checkMerges(TokenizerFile file, JsonNode model) {
        for (JsonNode merge : model.path("merges")) {
            String second = merge.isArray()
                    ? merge.path(1).asString("")
                    : merge.asString("").substring(merge.asString("").indexOf(' ') + 1);
            if (!second.startsWith(file.subwordPrefix())) {
                throw TextException.broken(
                        file.name(),
                        "the merge " + merge + " does not go on with continuing_subword_prefix \""
                                + file.subwordPrefix() + "\"");
            }
        }
    }
}
