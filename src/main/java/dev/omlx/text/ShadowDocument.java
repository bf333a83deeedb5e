package dev.omlx.text;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The same tokenizer with its control tokens under names that no text contains. In it, {@code <|im_end|>} is ordinary
 * text like any other, and the control token is reached only by its {@linkplain #alias alias}. So one text can hold
 * both, and everything else (normalising, splitting, merging) stays what it is.
 */
final class ShadowDocument {

    private final String name;
    private final Map<String, String> aliases = new LinkedHashMap<>();

    ShadowDocument(String name, List<AddedToken> controlTokens) {
        this.name = name;
        byte[] nonce = new byte[8];
        new SecureRandom().nextBytes(nonce);
        String secret = HexFormat.of().formatHex(nonce);
        for (AddedToken token : controlTokens) {
            aliases.putIfAbsent(token.text(), "\uFDD0" + secret + "." + aliases.size() + "\uFDD1");
        }
    }

    String alias(AddedToken token) {
        return aliases.getOrDefault(token.text(), token.text());
    }

    String rewrite(String tokenizerJson) {
        ObjectNode document = (ObjectNode) Json.object(name, tokenizerJson);
        document.putNull("decoder");
        document.putNull("post_processor");
        for (JsonNode token : document.path("added_tokens")) {
            String alias = aliases.get(token.path("content").asString(""));
            if (alias != null) {
                ((ObjectNode) token)
                        .put("content", alias)
                        .put("normalized", false)
                        .put("single_word", false);
            }
        }
        if (document.path("model") instanceof ObjectNode model) {
            rewriteModel(model);
        }
        return Json.MAPPER.writeValueAsString(document);
    }

    private void rewriteModel(ObjectNode model) {
        if (model.path("vocab") instanceof ObjectNode vocabulary) {
            aliases.forEach((text, alias) -> {
                JsonNode id = vocabulary.remove(text);
                if (id != null) {
                    vocabulary.set(alias, id);
                }
            });
        } else {
            for (JsonNode entry : model.path("vocab")) {
                String alias = aliases.get(entry.path(0).asString(""));
                if (alias != null && entry instanceof ArrayNode piece) {
                    piece.remove(0);
                    piece.insert(0, alias);
                }
            }
        }
        String unknown = aliases.get(model.path("unk_token").asString(""));
        if (unknown != null) {
            model.put("unk_token", unknown);
        }
        if (model.path("merges") instanceof ArrayNode merges) {
            ArrayNode kept = Json.MAPPER.createArrayNode();
            for (JsonNode merge : merges) {
                if (!touchesAlias(merge)) {
                    kept.add(merge);
                }
            }
            model.set("merges", kept);
        }
    }

    private boolean touchesAlias(JsonNode merge) {
        String first;
        String second;
        if (merge.isArray()) {
            first = merge.path(0).asString("");
            second = merge.path(1).asString("");
        } else {
            String pair = merge.asString("");
            int space = Math.max(0, pair.indexOf(' '));
            first = pair.substring(0, space);
            second = pair.substring(space).stripLeading();
        }
        return aliases.containsKey(first) || aliases.containsKey(second) || aliases.containsKey(first + second);
    }
}
