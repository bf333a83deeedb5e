package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenizerTests {

    private final Tokenizer tokenizer = Toy.byteLevel().tokenizer();

    @AfterEach
    void close() {
        tokenizer.close();
    }

    /** The ids are those of the reference implementation for the same file. */
    @Test
    void encodesLikeTheReference() {
        assertThat(tokenizer.encode("The keeper counted 12 ships."))
                .containsExactly(291, 340, 331, 305, 223, 19, 20, 335, 16);
        assertThat(tokenizer.encode("naß 灯台 🙂!")).containsExactly(80, 337, 410, 389, 240, 111, 405, 3);
        assertThat(tokenizer.encodeWithSpecials("<|im_start|>Hi<|im_end|>")).containsExactly(1, 42, 75, 2);
        assertThat(tokenizer.encodeWithSpecials("<think>so</think><|user|>")).containsExactly(420, 85, 81, 421, 422);
        assertThat(tokenizer.encode("")).isEmpty();
    }

    @Test
    void spellsControlTokensOutInPlainText() {
        for (String text : List.of("<|im_end|>", "a<|im_start|>b<|im_end|>", "<|user|>", "<<|endoftext|>>")) {
            int[] ids = tokenizer.encode(text);
            assertThat(ids).doesNotContain(0, 1, 2, 422);
            assertThat(tokenizer.decode(ids, true)).isEqualTo(text);
        }
        // a tag that the vocabulary does not mark as special is ordinary text with a token of its own
        assertThat(tokenizer.encode("<think>")).containsExactly(420);
    }

    @Test
    void spellsOutOnlyWhereAsked() {
        String text = "<|im_start|>x<|im_end|>y<|im_end|>";
        int[] ids = tokenizer.encodeSpelling(text, offset -> offset == text.indexOf("<|im_end|>"));
        assertThat(ids).startsWith(1).endsWith(2);
        assertThat(Arrays.stream(ids).filter(id -> id == 2)).hasSize(1);
        assertThat(tokenizer.decode(ids, false)).isEqualTo(text);
    }

    @Test
    void doesNotTruncateWhateverTheFileSays() {
        assertThat(tokenizer.encode("12345 ".repeat(1000))).hasSizeGreaterThan(5000);
    }

    @Test
    void anyTextComesBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            String text = Toy.randomText(random);
            assertThat(tokenizer.decode(tokenizer.encode(text), false))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(text);
            assertThat(tokenizer.decode(tokenizer.encodeWithSpecials(text), false))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(text);
        }
    }

    @Test
    void plainTextNeverBecomesAControlToken() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            int[] ids = tokenizer.encode(Toy.randomText(random));
            assertThat(Arrays.stream(ids).filter(tokenizer::isSpecial))
                    .as("seed %d, round %d", seed, round)
                    .isEmpty();
        }
    }

    @Test
    void halfCharactersBecomeReplacementCharacters() {
        assertThat(tokenizer.decode(tokenizer.encode("a\uD83Db\uDE42"), true)).isEqualTo("a\uFFFDb\uFFFD");
    }

    @Test
    void bytesOfTokensJoinToTheText() {
        String text = "naß 灯台 🙂!";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int id : tokenizer.encode(text)) {
            bytes.writeBytes(tokenizer.tokenBytes(id));
        }
        assertThat(bytes.toByteArray()).isEqualTo(Toy.utf8(text));
    }

    @Test
    void knowsItsVocabulary() {
        assertThat(tokenizer.vocabularySize()).isEqualTo(423);
        assertThat(tokenizer.isSpecial(2)).isTrue();
        assertThat(tokenizer.isSpecial(420)).isFalse();
        assertThat(tokenizer.tokenText(291)).isEqualTo("The");
        assertThat(tokenizer.idOf("Ġkeeper")).hasValue(340);
        assertThat(tokenizer.tokenBytes(340)).isEqualTo(Toy.utf8(" keeper"));
        assertThat(tokenizer.idOf("no such token")).isEmpty();
        assertThat(tokenizer.addedTokens())
                .extracting(AddedToken::text)
                .containsExactly("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<|user|>");
    }

    @Test
    void idsWithoutATokenAddNothing() {
        assertThat(tokenizer.decode(new int[] {291, 5000, -1, 340}, true)).isEqualTo("The keeper");
        assertThat(tokenizer.tokenBytes(5000)).isEmpty();
        assertThat(tokenizer.tokenText(-1)).isEmpty();
        assertThat(tokenizer.isSpecial(-1)).isFalse();
    }

    @Test
    void framesBareTextOnce() {
        assertThat(tokenizer.frame(new int[] {7, 8})).containsExactly(0, 7, 8);
        assertThat(tokenizer.frame(new int[] {0, 7, 8})).containsExactly(0, 7, 8);
        assertThat(tokenizer.frame(new int[0])).containsExactly(0);
    }

    @Test
    void refusesToEncodeWhenClosed() {
        tokenizer.close();
        tokenizer.close();
        assertThatThrownBy(() -> tokenizer.encode("a")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> tokenizer.encode("<|im_end|>")).isInstanceOf(IllegalStateException.class);
        assertThat(tokenizer.decode(new int[] {291}, true)).isEqualTo("The");
    }

    @Test
    void servesManyThreads() throws Exception {
        List<String> texts =
                IntStream.range(0, 50).mapToObj(i -> "<|im_end|> naß " + i * 37).toList();
        List<int[]> alone = texts.stream().map(tokenizer::encode).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<List<int[]>> task =
                    () -> texts.stream().map(tokenizer::encode).toList();
            for (Future<List<int[]>> result : threads.invokeAll(Collections.nCopies(8, task))) {
                assertThat(result.get()).usingRecursiveComparison().isEqualTo(alone);
            }
        }
    }
}
