package dev.omlx.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The keys of this project's configuration, as the metadata that is compiled into it lists them. */
final class ConfigurationKeys {
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final String PREFIX = "omlx.";

    /** From key to the name of its Java type. */
    private final Map<String, String> types;

    ConfigurationKeys(Map<String, String> types) {
        this.types = Map.copyOf(types);
    }

    static ConfigurationKeys ofClasspath() {
        Map<String, String> types = new HashMap<>();
        JsonMapper mapper = new JsonMapper();
        try {
            for (URL url :
                    Collections.list(ConfigurationKeys.class.getClassLoader().getResources(METADATA))) {
                try (InputStream metadata = url.openStream()) {
                    mapper.readTree(metadata).path("properties").forEach(property -> add(types, property));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return new ConfigurationKeys(types);
    }

    private static void add(Map<String, String> types, JsonNode property) {
        String name = property.path("name").asString();
        if (name.startsWith(PREFIX)) {
            types.put(name, property.path("type").asString("java.lang.String"));
        }
    }

    /** From key to the name of its Java type. */
    Map<String, String> types() {
        return types;
    }

    /** Whether the key may be set: it is not one of ours, it is known, or it is an entry of a known map or list. */
    boolean allow(String key) {
        return !key.startsWith(PREFIX)
                || types.entrySet().stream().anyMatch(known -> covers(known.getKey(), known.getValue(), key));
    }

    /** Whether that is a known key, or the beginning of one, or not one of ours. */
    boolean leadsToOurs(String key) {
        return !key.startsWith(PREFIX)
                || types.containsKey(key)
                || types.keySet().stream().anyMatch(known -> known.startsWith(key + "."));
    }

    /** The end of a sentence that names the known key that is nearest; empty where none is near. */
    String didYouMean(String key) {
        return Suggestions.didYouMean(key, types.keySet());
    }

    private static boolean covers(String known, String type, String key) {
        String wanted = canonical(key);
        String candidate = canonical(known);
        boolean container = type.startsWith("java.util.") || type.endsWith("[]");
        return wanted.equals(candidate)
                || (container && (wanted.startsWith(candidate + ".") || wanted.startsWith(candidate + "[")));
    }

    /** Spring reads camelCase, kebab-case and snake_case alike. */
    static String canonical(String key) {
        return key.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }
}
