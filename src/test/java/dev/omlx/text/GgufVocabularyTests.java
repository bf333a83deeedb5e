package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.text.TextException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GgufVocabularyTests {

    private static final String[] NO_STRINGS = {};

    @Test
    void sentencePieceMergesByScoreAndSpellsTheRestInBytes() {
        try (ModelText model = ModelText.of(Toy.sentencePiece(true))) {
            Tokenizer tokenizer = model.tokenizer();
            assertThat(texts(tokenizer, "the ships in é🙂"))
                    .containsExactly("▁the", "▁ship", "s", "▁in", "▁", "é", "<0xF0>", "<0x9F>", "<0x99>", "<0x82>");
            assertThat(texts(tokenizer, "  the")).containsExactly("▁▁", "▁the");
            assertThat(tokenizer.decode(tokenizer.encode("  the ships in é🙂"), true))
                    .isEqualTo("  the ships in é🙂");
            assertThat(tokenizer.encodeWithSpecials("<s>the</s>")).startsWith(1).endsWith(2);
            assertThat(texts(tokenizer, "<s>")).containsExactly("▁", "<", "s", ">");
            assertThat(tokenizer.frame(new int[] {9})).containsExactly(1, 9);
            assertThat(tokenizer.eosIds()).containsExactly(2);
        }
    }

    @Test
    void withoutSpacePrefixTextStartsAsItIs() {
        try (ModelText model = ModelText.of(Toy.sentencePiece(false))) {
            assertThat(texts(model.tokenizer(), "the")).containsExactly("t", "he");
            assertThat(texts(model.tokenizer(), " the")).containsExactly("▁the");
            assertThat(model.tokenizer().decode(model.tokenizer().encode(" the"), true))
                    .isEqualTo(" the");
        }
    }

    @Test
    void byteLevelKnowsTheKindsOfTokens() {
        GgufVocabulary gguf = byteLevel("gpt-2", Map.of());
        try (ModelText model = ModelText.of(gguf)) {
            Tokenizer tokenizer = model.tokenizer();
            assertThat(texts(tokenizer, "hi<|im_end|>"))
                    .startsWith("h", "i", "<")
                    .doesNotContain("<|im_end|>");
            assertThat(tokenizer.encodeWithSpecials("hi<|im_end|>")).endsWith(1);
            assertThat(texts(tokenizer, "<tool>")).containsExactly("<tool>");
            assertThat(tokenizer.decode(tokenizer.encodeWithSpecials("<tool>é<|im_end|>"), true))
                    .isEqualTo("<tool>é");
            // named only by its text, as in files that know just the end of a document
            assertThat(tokenizer.eosIds()).containsExactlyInAnyOrder(0, 1);
            assertThat(tokenizer.bosId()).isEmpty();
            assertThat(model.hasChatTemplate()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "smollm, 12345, 1|2|3|4|5",
        "gpt-2, 12345, 12345",
        "llama-bpe, 12345, 123|45",
        "qwen2, 12345, 1|2|3|4|5",
        "qwen35, 12345, 1|2|3|4|5",
        "tekken, 12345, 1|2|3|4|5",
        "gpt-4o, 12345, 123|45",
        "deepseek-v3, 12345, 123|45",
        "default, 12345, 123|45",
        "glm4, 12345, 123|45"
    })
    void splitsNumbersAsTheModelDoes(String pre, String text, String words) {
        List<String> merges = List.of("1 2", "12 3", "4 5", "123 45");
        try (ModelText model = ModelText.of(byteLevel(pre, Map.of("tokenizer.ggml.merges", merges)))) {
            assertThat(texts(model.tokenizer(), text)).containsExactly(words.split("\\|"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"gpt-2", "smollm", "llama-bpe", "qwen2", "qwen35", "tekken", "gpt-4o", "deepseek-v3", "default"})
    void anyTextComesBackThroughEveryPreTokenizer(String pre) {
        try (ModelText model = ModelText.of(byteLevel(pre, Map.of()))) {
            Tokenizer tokenizer = model.tokenizer();
            for (String text :
                    List.of("It's  a\n\n test, 123!\t", "naß 灯台 🙂\r\n", " HTMLParser'S x", "   ", "a\u0301b")) {
                String expected = pre.startsWith("qwen") ? text.replace("a\u0301", "á") : text;
                assertThat(tokenizer.decode(tokenizer.encode(text), true)).isEqualTo(expected);
            }
        }
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        TextException pre =
                catchThrowableOfType(TextException.class, () -> ModelText.of(byteLevel("mystery", Map.of())));
        assertThat(pre)
                .hasMessageContaining("toy.gguf")
                .hasMessageContaining("\"mystery\"")
                .hasMessageContaining("qwen2");
        assertThat(pre.kind()).isEqualTo(Kind.TOKENIZER_UNSUPPORTED);
        TextException model = catchThrowableOfType(
                TextException.class, () -> ModelText.of(byteLevel("gpt-2", Map.of("tokenizer.ggml.model", "rwkv"))));
        assertThat(model).hasMessageContaining("\"rwkv\"");
        assertThat(model.kind()).isEqualTo(Kind.TOKENIZER_UNSUPPORTED);
        TextException none =
                catchThrowableOfType(TextException.class, () -> GgufVocabulary.of("toy.gguf", new MapSource(Map.of())));
        assertThat(none.kind()).isEqualTo(Kind.TOKENIZER_MISSING);
    }

    @Test
    void refusesContradictions() {
        assertBroken(Map.of("tokenizer.ggml.tokens", List.of()), "is empty");
        assertBroken(Map.of("tokenizer.ggml.token_type", new int[] {1}), "1 token types");
        assertBroken(Map.of("tokenizer.ggml.eos_token_id", 100_000), "eos_token_id 100000");
        assertBroken(Map.of("tokenizer.ggml.merges", List.of("ab")), "not a pair");
        assertBroken(Map.of("tokenizer.ggml.merges", List.of("zz zz")), "refused by the tokenizer library");
        assertBroken(Map.of("tokenizer.ggml.model", "llama"), "0 scores");
    }

    private static void assertBroken(Map<String, Object> keys, String fault) {
        assertThatThrownBy(() -> ModelText.of(byteLevel("gpt-2", keys)))
                .isInstanceOf(TextException.class)
                .hasMessageContaining("toy.gguf")
                .hasMessageContaining(fault);
    }

    private static String[] texts(Tokenizer tokenizer, String text) {
        return Arrays.stream(tokenizer.encode(text))
                .mapToObj(tokenizer::tokenText)
                .toList()
                .toArray(NO_STRINGS);
    }

    /** All bytes, a few merges of digits, two control tokens and a user-defined one. */
    private static GgufVocabulary byteLevel(String pre, Map<String, Object> other) {
        List<String> tokens = new ArrayList<>(List.of("<|endoftext|>", "<|im_end|>", "<tool>"));
        int added = tokens.size();
        char next = 0x100;
        for (int b = 0; b < 256; b++) {
            boolean visible = (b >= '!' && b <= '~') || (b >= 0xA1 && b != 0xAD);
            tokens.add(String.valueOf(visible ? (char) b : next++));
        }
        tokens.addAll(List.of("12", "123", "45", "12345"));
        int[] types = new int[tokens.size()];
        Arrays.fill(types, GgufVocabulary.NORMAL);
        Arrays.fill(types, 0, added, GgufVocabulary.CONTROL);
        types[2] = GgufVocabulary.USER_DEFINED;
        Map<String, Object> metadata = new HashMap<>(Map.of(
                "tokenizer.ggml.model",
                "gpt2",
                "tokenizer.ggml.pre",
                pre,
                "tokenizer.ggml.tokens",
                tokens,
                "tokenizer.ggml.token_type",
                types,
                "tokenizer.ggml.merges",
                List.of("1 2", "12 3", "4 5", "123 45"),
                "tokenizer.ggml.eos_token_id",
                0));
        metadata.putAll(other);
        return GgufVocabulary.of("toy.gguf", new MapSource(metadata));
    }

    private record MapSource(Map<String, Object> metadata) implements GgufSource {
        private <T> Optional<T> find(String key, Class<T> type) {
            return Optional.ofNullable(metadata.get(key)).map(type::cast);
        }

        @Override
        public Optional<String> findString(String key) {
            return find(key, String.class);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Optional<List<String>> findStrings(String key) {
            return find(key, List.class).map(list -> (List<String>) list);
        }

        @Override
        public OptionalInt findInt(String key) {
            return find(key, Integer.class).map(OptionalInt::of).orElseGet(OptionalInt::empty);
        }

        @Override
        public Optional<int[]> findInts(String key) {
            return find(key, int[].class);
        }

        @Override
        public Optional<float[]> findFloats(String key) {
            return find(key, float[].class);
        }

        @Override
        public Optional<Boolean> findFlag(String key) {
            return find(key, Boolean.class);
        }
    }
}
