package dev.omlx.api.openapi;

import dev.omlx.api.ServerVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What all faces take and answer, put together of a file a face. */
public final class OpenApiDocument {
    private static final List<String> PARTS =
            List.of("server", "openai", "responses", "anthropic", "ollama", "ranking");

    private OpenApiDocument() {}

    /** The document, as maps, lists, strings, numbers and booleans. */
    public static Map<String, Object> read() {
        Map<String, Object> document = new LinkedHashMap<>();
        PARTS.forEach(part -> merge(document, part(part + ".yaml"), ""));
        map(document.get("info")).put("version", ServerVersion.get());
        return document;
    }

    private static Map<String, Object> part(String file) {
        try (InputStream yaml = Objects.requireNonNull(OpenApiDocument.class.getResourceAsStream(file), file)) {
            return map(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** @param place of both in the document */
    private static void merge(Map<String, Object> document, Map<String, Object> part, String place) {
        part.forEach((name, value) -> {
            Object known = document.putIfAbsent(name, value);
            if (known instanceof Map && value instanceof Map) {
                merge(map(known), map(value), place + "/" + name);
            } else if (known != null) {
                throw new IllegalStateException("the OpenAPI document has " + place + "/" + name + " twice");
            }
        });
    }

    @SuppressWarnings("unchecked") // YAML's maps have strings for keys here
    private static Map<String, Object> map(@Nullable Object yaml) {
        return (Map<String, Object>) Objects.requireNonNull(yaml);
    }
}
