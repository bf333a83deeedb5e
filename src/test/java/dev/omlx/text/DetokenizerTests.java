package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DetokenizerTests {

    /** Token id of a byte in {@link Toy#sentencePiece}. */
    private static final int BYTE = 3;

    private final Tokenizer byteLevel = Toy.byteLevel().tokenizer();
    private final Tokenizer sentencePiece =
            ModelText.of(Toy.sentencePiece(true)).tokenizer();

    @Test
    void holdsBackACharacterUntilItIsWhole() {
        List<String> pieces = pieces(sentencePiece, bytes("a🙂"));
        assertThat(pieces).containsExactly("a", "", "", "", "🙂", "");
    }

    @Test
    void dropsACharacterThatIsCutOff() {
        int[] ids = Arrays.copyOf(bytes("ok🙂"), 5);
        assertThat(pieces(sentencePiece, ids)).containsExactly("o", "k", "", "", "", "");
        assertThat(sentencePiece.decode(ids, true)).isEqualTo("ok");
    }

    @Test
    void replacesBytesThatCannotBecomeACharacter() {
        int[] ids = {BYTE + 'a', BYTE + 0xF0, BYTE + 0x9F, BYTE + 'b', BYTE + 0x80, BYTE + 'c'};
        assertThat(pieces(sentencePiece, ids)).containsExactly("a", "", "", "\uFFFDb", "\uFFFD", "c", "");
    }

    @Test
    void dropsOneLeadingSpaceOfSentencePiece() {
        int the = sentencePiece.idOf("▁the").orElseThrow();
        int space = sentencePiece.idOf("▁").orElseThrow();
        int spaces = sentencePiece.idOf("▁▁").orElseThrow();
        assertThat(pieces(sentencePiece, the, the)).containsExactly("the", " the", "");
        assertThat(pieces(sentencePiece, 1, the, 2)).containsExactly("", "the", "", "");
        assertThat(pieces(sentencePiece, space, the)).containsExactly("", " the", "");
        assertThat(pieces(sentencePiece, spaces, the)).containsExactly(" ", " the", "");
        assertThat(pieces(sentencePiece, BYTE + 'x', the)).containsExactly("x", " the", "");
        try (ModelText plain = ModelText.of(Toy.sentencePiece(false))) {
            assertThat(pieces(plain.tokenizer(), the)).containsExactly(" the", "");
        }
    }

    @Test
    void dropsTheLeadingSpaceOfMetaspace() {
        try (Tokenizer unigram = Toy.of(Toy.unigram())) {
            int[] ids = unigram.encode("the ships");
            assertThat(pieces(unigram, ids)).containsExactly("the", " ", "ship", "s", "");
            assertThat(unigram.decode(ids, true)).isEqualTo("the ships");
        }
    }

    @Test
    void leavesSpecialTokensOut() {
        int[] ids = byteLevel.encodeWithSpecials("<|im_start|>The<|im_end|> keeper<think>");
        assertThat(Toy.joined(byteLevel, ids)).isEqualTo("The keeper<think>");
        assertThat(byteLevel.decode(ids, false)).isEqualTo("<|im_start|>The<|im_end|> keeper<think>");
    }

    @Test
    void joinedPiecesAreTheWholeForAnyIds() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (Tokenizer tokenizer : List.of(byteLevel, sentencePiece)) {
            for (int round = 0; round < 3000; round++) {
                int[] ids = random.ints(random.nextInt(30), -1, tokenizer.vocabularySize() + 2)
                        .toArray();
                assertThat(Toy.joined(tokenizer, ids))
                        .as("seed %d, round %d, ids %s", seed, round, Arrays.toString(ids))
                        .isEqualTo(tokenizer.decode(ids, true));
            }
        }
    }

    @Test
    void joinedPiecesAreTheTextForAnyText() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            String text = Toy.randomText(random);
            String as = "seed " + seed + ", round " + round;
            assertThat(Toy.joined(byteLevel, byteLevel.encode(text))).as(as).isEqualTo(text);
            assertThat(Toy.joined(sentencePiece, sentencePiece.encode(text)))
                    .as(as)
                    .isEqualTo(text.replace('▁', ' '));
        }
    }

    /** Java's own decoder is the oracle, except for encoded surrogates, which it counts differently. */
    @Test
    void decodesBytesLikeAnyDecoder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] alphabet = {'a', 0x80, 0x9F, 0xA0, 0xBF, 0xC1, 0xC3, 0xE0, 0xE2, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(8) + 1];
            for (int i = 0; i < bytes.length - 1; i++) {
                bytes[i] = (byte) alphabet[random.nextInt(alphabet.length)];
            }
            bytes[bytes.length - 1] = 'z';
            assertThat(decoded(bytes))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(new String(bytes, StandardCharsets.UTF_8));
        }
        assertThat(decoded(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80, 'z'}))
                .isEqualTo("\uFFFD\uFFFD\uFFFDz");
    }

    private static String decoded(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        Utf8Stream utf8 = new Utf8Stream();
        for (int i = 0; i < bytes.length; i++) {
            utf8.append(bytes, i, i + 1, out);
        }
        return out.toString();
    }

    private static int[] bytes(String text) {
        byte[] bytes = Toy.utf8(text);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = BYTE + (bytes[i] & 0xFF);
        }
        return ids;
    }

    private static List<String> pieces(Tokenizer tokenizer, int... ids) {
        Detokenizer detokenizer = tokenizer.detokenizer();
        List<String> pieces = new ArrayList<>();
        for (int id : ids) {
            pieces.add(detokenizer.add(id));
        }
        pieces.add(detokenizer.finish());
        return pieces;
    }
}
