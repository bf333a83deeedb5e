package dev.omlx.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * A whole model that fits into a test: a reference checkpoint with random weights, and a tokenizer whose 256 tokens are
 * the bytes. Its answers are noise, but always the same.
 */
public final class TinyModel {
    private TinyModel() {}

    /** Writes the model into a folder. Its context is 512 tokens. */
    public static Path in(Path folder) {
        Path reference = Path.of("src/test/resources/reference/models/llama");
        try {
            Files.createDirectories(folder);
            for (String file : List.of("config.json", "model.safetensors")) {
                Files.copy(reference.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.writeString(
                    folder.resolve("tokenizer.json"), JsonMapper.shared().writeValueAsString(tokenizer()));
            Files.writeString(
                    folder.resolve("chat_template.jinja"),
                    "{% for m in messages %}{{ m.role + ': ' + m.content }}\n{% endfor %}assistant:");
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> tokenizer() {
        Map<String, Object> byteLevel =
                Map.of("type", "ByteLevel", "add_prefix_space", false, "trim_offsets", true, "use_regex", false);
        Map<String, Object> vocabulary = new LinkedHashMap<>();
        int unprintable = 256;
        for (int b = 0; b < 256; b++) {
            boolean printable = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
            vocabulary.put(Character.toString(printable ? b : unprintable++), b);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("version", "1.0");
        document.put("added_tokens", List.of());
        document.put("pre_tokenizer", byteLevel);
        document.put("decoder", byteLevel);
        document.put("model", Map.of("type", "BPE", "vocab", vocabulary, "merges", List.of()));
        return document;
    }
}
