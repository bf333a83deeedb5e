package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.omlx.engine.ModelTexts;
import dev.omlx.testsupport.TestModels;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tokenizer in the real SmolLM2 file against the recorded tokens of the reference implementation. */
class SmolLm2TokenizerIT {

    private static ModelText model;
    private static Tokenizer tokenizer;

    @BeforeAll
    static void open() {
        model = ModelTexts.read(TestModels.smollm2());
        tokenizer = model.tokenizer();
    }

    @AfterAll
    static void close() {
        model.close();
    }

    @TestFactory
    List<DynamicTest> encodesAndDecodesLikeTheReference() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode item : reference("tokens.json").path("items")) {
            String text = item.path("text").asString();
            boolean special = item.path("special").asBoolean();
            tests.add(dynamicTest(item.path("category").asString() + " " + item.path("text") + " " + special, () -> {
                int[] ids = special ? tokenizer.encodeWithSpecials(text) : tokenizer.encode(text);
                assertThat(ids).containsExactly(ints(item.path("ids")));
                String decoded = item.path("decoded").asString(text);
                assertThat(tokenizer.decode(ids, false)).isEqualTo(decoded);
                assertThat(joined(ids)).isEqualTo(tokenizer.decode(ids, true));
            }));
        }
        assertThat(tests).hasSizeGreaterThan(400);
        return tests;
    }

    @TestFactory
    List<DynamicTest> encodesRenderedChatsLikeTheReference() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode chat : reference("greedy.json").path("chats")) {
            String prompt = chat.path("prompt").asString();
            tests.add(dynamicTest(chat.path("messages").toString(), () -> {
                assertThat(tokenizer.encodeWithSpecials(prompt)).containsExactly(ints(chat.path("prompt_tokens")));
                assertThat(joined(ints(chat.path("tokens"))))
                        .isEqualTo(chat.path("text").asString());
            }));
        }
        assertThat(tests).isNotEmpty();
        return tests;
    }

    @TestFactory
    List<DynamicTest> rendersAndEncodesChatsLikeTheReference() throws IOException {
        PromptEncoder encoder = new PromptEncoder(tokenizer, model.chatTemplate());
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode chat : reference("greedy.json").path("chats")) {
            List<Map<String, String>> messages = chat.path("messages")
                    .valueStream()
                    .map(message -> Map.of(
                            "role", message.path("role").asString(),
                            "content", message.path("content").asString()))
                    .toList();
            tests.add(dynamicTest(chat.path("messages").toString(), () -> {
                EncodedPrompt prompt = encoder.encode(ChatRequest.of(messages));
                assertThat(prompt.text()).isEqualTo(chat.path("prompt").asString());
                assertThat(prompt.ids()).containsExactly(ints(chat.path("prompt_tokens")));
            }));
        }
        assertThat(tests).isNotEmpty();
        return tests;
    }

    @Test
    void knowsItsSpecialTokens() throws IOException {
        reference("tokens.json").path("special_tokens").properties().forEach(token -> {
            int id = token.getValue().asInt();
            assertThat(tokenizer.idOf(token.getKey())).hasValue(id);
            assertThat(tokenizer.tokenText(id)).isEqualTo(token.getKey());
            assertThat(tokenizer.isSpecial(id)).isTrue();
        });
        assertThat(IntStream.range(0, tokenizer.vocabularySize()).filter(tokenizer::isSpecial))
                .hasSize(17);
        assertThat(tokenizer.vocabularySize()).isEqualTo(49152);
        assertThat(tokenizer.bosId()).hasValue(1);
        assertThat(tokenizer.eosIds()).containsExactly(2);
        assertThat(tokenizer.frame(new int[] {5})).containsExactly(5);
    }

    @Test
    void joinsAnyTokensToWhatTheyDecodeTo() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            int[] ids = random.ints(random.nextInt(60), 0, tokenizer.vocabularySize() + 3)
                    .toArray();
            assertThat(joined(ids)).as("seed %d, round %d", seed, round).isEqualTo(tokenizer.decode(ids, true));
        }
    }

    @Test
    void encodesNoMatterWhereAHarmlessPromptCameFrom() {
        String prompt = "<|im_start|>user\nHi < there<|im_end|>\n";
        assertThat(tokenizer.encodeSpelling(prompt, offset -> false))
                .containsExactly(tokenizer.encodeWithSpecials(prompt));
        assertThat(tokenizer.encodeSpelling("<|im_start|>a<|im_end|>b<|im_end|>", offset -> offset == 13))
                .containsExactly(concat(
                        tokenizer.encodeWithSpecials("<|im_start|>"),
                        tokenizer.encode("a<|im_end|>b"),
                        tokenizer.encodeWithSpecials("<|im_end|>")));
    }

    private static int[] concat(int[]... parts) {
        return IntStream.range(0, parts.length)
                .flatMap(i -> IntStream.of(parts[i]))
                .toArray();
    }

    private static String joined(int[] ids) {
        Detokenizer detokenizer = tokenizer.detokenizer();
        StringBuilder text = new StringBuilder();
        for (int id : ids) {
            text.append(detokenizer.add(id));
        }
        return text.append(detokenizer.finish()).toString();
    }

    private static int[] ints(JsonNode array) {
        return array.valueStream().mapToInt(JsonNode::asInt).toArray();
    }

    private static JsonNode reference(String file) throws IOException {
        try (InputStream in = SmolLm2TokenizerIT.class.getResourceAsStream("/reference/smollm2/" + file)) {
            return JsonMapper.shared().readTree(in);
        }
    }
}
