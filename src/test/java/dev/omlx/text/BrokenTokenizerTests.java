package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.omlx.text.TextException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Model files come from anywhere: a broken one must end in an error that names it, never in anything worse. */
class BrokenTokenizerTests {

    private static final String ADDED = """
            {"id":%s,"content":%s,"special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false}""";

    @TempDir
    private Path folder;

    static Stream<Arguments> brokenFiles() {
        String model = "\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[%s]%s}";
        return Stream.of(
                arguments("", "not a JSON object", Kind.TOKENIZER_BROKEN),
                arguments("[1]", "not a JSON object", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":", "is not JSON at line 1, column 10: it ends too early", Kind.TOKENIZER_BROKEN),
                arguments("{} {}", "goes on after", Kind.TOKENIZER_BROKEN),
                arguments("{\"a\":1}", "no vocabulary", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":3}", "\"model\" is not an object", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":{\"vocab\":{\"a\":\"x\"}}}", "the id of token \"a\"", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":{\"vocab\":{\"a\":-1}}}", "out of range: -1", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":{\"vocab\":{\"a\":99999999}}}", "out of range", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":{\"vocab\":{\"a\":99999999999999999999}}}", "range", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":{\"vocab\":[\"a\"]}}", "entry 0 of the vocabulary", Kind.TOKENIZER_BROKEN),
                arguments("{\"model\":{\"vocab\":[[1,2]]}}", "entry 0 of the vocabulary", Kind.TOKENIZER_BROKEN),
                arguments(
                        "{\"added_tokens\":[" + ADDED.formatted(3, "\"\"") + "]}",
                        "added_tokens",
                        Kind.TOKENIZER_BROKEN),
                arguments(
                        "{\"added_tokens\":[" + ADDED.formatted("\"x\"", "\"y\"") + "]}",
                        "added_tokens",
                        Kind.TOKENIZER_BROKEN),
                arguments("{" + model.formatted("\"a c\"", "") + "}", "out of vocabulary", Kind.TOKENIZER_BROKEN),
                arguments(
                        "{" + model.formatted("\"ab\"", "") + "}",
                        "refused by the tokenizer library",
                        Kind.TOKENIZER_BROKEN),
                arguments(
                        "{" + model.formatted("\"a b\"", ",\"continuing_subword_prefix\":\"####\"") + "}",
                        "continuing_subword_prefix",
                        Kind.TOKENIZER_BROKEN),
                arguments(
                        "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"(\"},\"behavior\":\"Isolated\","
                                + "\"invert\":false}," + model.formatted("", "") + "}",
                        "refused by the tokenizer library",
                        Kind.TOKENIZER_BROKEN),
                arguments(
                        "{\"decoder\":{\"type\":\"CTC\"}," + model.formatted("", "") + "}",
                        "decoder of type \"CTC\"",
                        Kind.TOKENIZER_UNSUPPORTED));
    }

    @ParameterizedTest
    @MethodSource("brokenFiles")
    void namesTheFileAndTheFault(String json, String fault, Kind kind) {
        Toy.write(folder, "tokenizer.json", json);
        TextException error = catchThrowableOfType(TextException.class, () -> ModelText.of(folder));
        assertThat(error).hasMessageContaining("tokenizer.json").hasMessageContaining(fault);
        assertThat(error.kind()).isEqualTo(kind);
    }

    @Test
    void refusesBytesThatAreNotText() throws IOException {
        Files.write(folder.resolve("tokenizer.json"), new byte[] {'{', (byte) 0xFF, '}'});
        assertThatThrownBy(() -> ModelText.of(folder))
                .isInstanceOf(TextException.class)
                .hasMessageContaining("not UTF-8");
    }

    @Test
    void namesTheMissingFile() {
        TextException error = catchThrowableOfType(TextException.class, () -> ModelText.of(folder));
        assertThat(error).hasMessageContaining(folder.toString()).hasMessageContaining("tokenizer.json");
        assertThat(error.kind()).isEqualTo(Kind.TOKENIZER_MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tokenizer.json",
                "tokenizer_config.json",
                "special_tokens_map.json",
                "generation_config.json",
                "config.json",
                "chat_template.json",
                "chat_template.jinja"
            })
    void namesWhatIsNoFile(String name) throws IOException {
        Toy.copyTo(folder);
        Path file = folder.resolve(name);
        Files.deleteIfExists(file);
        Files.createSymbolicLink(file, file);
        assertThatThrownBy(() -> ModelText.of(folder))
                .isInstanceOf(TextException.class)
                .hasMessageStartingWith(file + ": cannot be read: ")
                .hasMessageContaining("symbolic links");
        Files.delete(file);
        Files.createSymbolicLink(file, folder.resolve("gone"));
        assertThatThrownBy(() -> ModelText.of(folder))
                .hasMessage(file + ": cannot be read: it is a link to a file that is not there");
        Files.delete(file);
        Files.createDirectory(file);
        assertThatThrownBy(() -> ModelText.of(folder)).hasMessage(file + ": cannot be read: it is a folder");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"eos_token_id": "x"}                 | 'eos_token_id' must be a token id or a list of them, not "x"
            {"eos_token_id": [1, "x"]}            | 'eos_token_id' must be a token id or a list of them, not [1,"x"]
            {"eos_token_id": 1.5}                 | 'eos_token_id' must be
            {"eos_token_id": true}                | 'eos_token_id' must be
            {"eos_token_id": {"a": 1}}            | 'eos_token_id' must be
            {"eos_token_id": 99999999999}         | 'eos_token_id' must be
            {"text_config": {"eos_token_id": ""}} | 'text_config.eos_token_id' must be
            """)
    void refusesEndsThatAreNoTokens(String json, String fault) throws IOException {
        Toy.copyTo(folder);
        for (String name : List.of("generation_config.json", "config.json")) {
            Toy.write(folder, name, json);
            assertThatThrownBy(() -> ModelText.of(folder))
                    .isInstanceOf(TextException.class)
                    .hasMessageStartingWith(folder.resolve(name) + ": " + fault);
            Toy.write(folder, name, "{\"eos_token_id\": null}");
            ModelText.of(folder).close();
        }
    }

    @Test
    void namesABrokenFileBesideIt() {
        Toy.copyTo(folder);
        Toy.write(folder, "tokenizer_config.json", "{\"bos_token\":");
        assertThatThrownBy(() -> ModelText.of(folder))
                .isInstanceOf(TextException.class)
                .hasMessageContaining("tokenizer_config.json");
    }

    @Test
    void reportsATextThatTheVocabularyCannotSpell() {
        try (Tokenizer words =
                Toy.of("{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0},\"unk_token\":\"<unk>\"}}")) {
            assertThat(words.encode("a")).containsExactly(0);
            assertThatThrownBy(() -> words.encode("b"))
                    .isInstanceOf(TextException.class)
                    .hasMessageContaining("toy.json");
        }
    }

    /** The native library would end the process on these. */
    static Stream<Arguments> characterMaps() {
        byte[] sound = characterMap(1024, "x\0");
        byte[] leaf = sound.clone();
        // the root says that it has a value, which then lies beyond the replacements
        ByteBuffer.wrap(leaf).order(ByteOrder.LITTLE_ENDIAN).putInt(4, 1 << 8 | 300 << 10);
        byte[] far = sound.clone();
        ByteBuffer.wrap(far).order(ByteOrder.LITTLE_ENDIAN).putInt(4, 5000 << 10);
        byte[] torn = characterMap(1024, "x\0");
        torn[torn.length - 2] = (byte) 0xC3;
        return Stream.of(
                arguments(Base64.getEncoder().encodeToString(sound), true),
                arguments(Base64.getEncoder().encodeToString(sound).replace("A", "\\u0041"), true),
                arguments("", false),
                arguments("AAAA", false),
                arguments("%%%", false),
                arguments(Base64.getEncoder().encodeToString(new byte[2000]), false),
                arguments(Base64.getEncoder().encodeToString(leaf), false),
                arguments(Base64.getEncoder().encodeToString(far), false),
                arguments(Base64.getEncoder().encodeToString(torn), false));
    }

    @ParameterizedTest
    @MethodSource("characterMaps")
    void checksWhatTheLibraryTrusts(String map, boolean sound) {
        String json = "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Precompiled\","
                + "\"precompiled_charsmap\":\"" + map + "\"}]},\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0},"
                + "\"unk_token\":\"a\"}}";
        if (sound) {
            try (Tokenizer tokenizer = Toy.of(json)) {
                assertThat(tokenizer.encode("a")).containsExactly(0);
            }
        } else {
            assertThatThrownBy(() -> Toy.of(json))
                    .isInstanceOf(TextException.class)
                    .hasMessageContaining("precompiled_charsmap");
        }
    }

    private static byte[] characterMap(int trieBytes, String replacements) {
        byte[] text = Toy.utf8(replacements);
        ByteBuffer map = ByteBuffer.allocate(4 + trieBytes + text.length).order(ByteOrder.LITTLE_ENDIAN);
        return map.putInt(trieBytes).position(4 + trieBytes).put(text).array();
    }
}
