package dev.omlx.text;

import dev.omlx.files.FileFailures;
import dev.omlx.files.RegularFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Finds the chat templates of a model: their sources by name, where the usual one is called {@link #DEFAULT}. */
final class TemplateSources {

    static final String DEFAULT = "default";

    private TemplateSources() {}

    /** A template in a file of its own wins over one in {@code tokenizer_config.json}. */
    static Map<String, String> of(Path directory, JsonNode configuration) {
        Map<String, String> sources = new LinkedHashMap<>();
        JsonNode configured = configuration.path("chat_template");
        if (configured.isString()) {
            sources.put(DEFAULT, configured.asString());
        }
        for (JsonNode named : configured) {
            if (named.path("template").isString()) {
                sources.put(
                        named.path("name").asString(DEFAULT),
                        named.path("template").asString());
            }
        }
        JsonNode wrapped =
                Json.optionalObject(directory.resolve("chat_template.json")).path("chat_template");
        if (wrapped.isString()) {
            sources.put(DEFAULT, wrapped.asString());
        }
        addFiles(directory.resolve("additional_chat_templates"), sources);
        addFiles(directory.resolve("chat_templates"), sources);
        Path own = directory.resolve("chat_template.jinja");
        if (RegularFiles.named(own)) {
            sources.put(DEFAULT, Json.text(own));
        }
        return sources;
    }

    private static void addFiles(Path folder, Map<String, String> sources) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jinja")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                sources.put(name.substring(0, name.length() - ".jinja".length()), Json.text(file));
            }
        } catch (IOException e) {
            throw TextException.broken(folder.toString(), "cannot be listed: " + FileFailures.reason(e));
        }
    }
}
