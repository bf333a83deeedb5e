package dev.omlx.text;

import dev.omlx.files.FileFailures;
import dev.omlx.files.JsonFailures;
import dev.omlx.files.RegularFiles;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reading the JSON files beside a model; every fault becomes a {@link TextException} that names the file. */
final class Json {

    /** Python writes bare NaN and Infinity into the configuration files of some models. */
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private Json() {}

    static String text(Path file) {
        try {
            return RegularFiles.readText(file);
        } catch (CharacterCodingException e) {
            throw TextException.broken(file.toString(), "is not UTF-8 text");
        } catch (IOException e) {
            throw TextException.broken(file.toString(), "cannot be read: " + FileFailures.reason(e));
        }
    }

    /** The file's object; an empty one if there is no such file. */
    static JsonNode optionalObject(Path file) {
        return RegularFiles.named(file) ? object(file.toString(), text(file)) : MAPPER.createObjectNode();
    }

    static JsonNode object(String file, String json) {
        JsonNode node;
        try {
            node = MAPPER.readTree(json);
        } catch (JacksonException e) {
            throw malformed(file, e);
        }
        if (!node.isObject()) {
            throw TextException.broken(file, "is not a JSON object");
        }
        return node;
    }

    static TextException malformed(String file, JacksonException e) {
        return new TextException(TextException.Kind.TOKENIZER_BROKEN, file + ": " + JsonFailures.describe(e), e);
    }
}
