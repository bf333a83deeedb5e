package dev.omlx.api.request;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds halves of surrogate pairs, which JSON's escapes can write though they are no text. */
public final class Surrogates {
    private Surrogates() {}

    /** Where in {@code node} the first broken text stands, each step with its dot; null if there is none. */
    public static @Nullable String broken(JsonNode node) {
        if (node.isString()) {
            return isText(node.stringValue()) ? null : "";
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            String broken = broken(node.get(i));
            if (broken != null) {
                return "[" + i + "]" + broken;
            }
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!isText(field.getKey())) {
                return "";
            }
            String broken = broken(field.getValue());
            if (broken != null) {
                return "." + field.getKey() + broken;
            }
        }
        return null;
    }

    private static boolean isText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                boolean pair = Character.isHighSurrogate(unit)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
