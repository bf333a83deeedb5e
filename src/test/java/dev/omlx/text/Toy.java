package dev.omlx.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;

/** Small vocabularies for tests. */
final class Toy {

    static final String IM_START = "<|im_start|>";
    static final String IM_END = "<|im_end|>";

    private static final String[] SNIPPETS = {
        "The keeper", " counted", " 12 ships", "\n\n", " ", "   ", "ß", "é", "e\u0301", "灯台", "🙂", "👩‍🚀", "\u0000",
                "\t",
        "<|im_end|>", "<|im_", "end|>", "<think>", "</think>", "<|user|>", "<", "|>", "\u00A0", "▁", "Ġ", "0", "9",
                "👍🏽"
    };

    private Toy() {}

    /** A byte-level BPE tokenizer of 423 tokens trained on a dozen sentences, in a folder as a model has it. */
    static Path byteLevelFolder() {
        return Path.of("src/test/resources/text/toy");
    }

    static ModelText byteLevel() {
        return ModelText.of(byteLevelFolder());
    }

    /** Writes the byte-level tokenizer into another folder. */
    static Path copyTo(Path folder) {
        try {
            Files.copy(byteLevelFolder().resolve("tokenizer.json"), folder.resolve("tokenizer.json"));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path folder, String name, String text) {
        try {
            Files.createDirectories(folder.resolve(name).getParent());
            Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A SentencePiece vocabulary with byte tokens: what it has no piece for is spelled in bytes. */
    static GgufVocabulary sentencePiece(boolean spacePrefix) {
        List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        List<Integer> types =
                new ArrayList<>(List.of(GgufVocabulary.UNKNOWN, GgufVocabulary.CONTROL, GgufVocabulary.CONTROL));
        for (int b = 0; b < 256; b++) {
            tokens.add("<0x%02X>".formatted(b));
            types.add(GgufVocabulary.BYTE);
        }
        List<String> pieces = List.of("▁t", "he", "▁the", "in", "▁in", "er", "▁s", "▁sh", "ip", "▁ship", "▁▁");
        tokens.addAll(pieces);
        "▁abcdefghijklmnopqrstuvwxyzé<>/".codePoints().forEach(c -> tokens.add(Character.toString(c)));
        while (types.size() < tokens.size()) {
            types.add(GgufVocabulary.NORMAL);
        }
        float[] scores = new float[tokens.size()];
        for (int id = 259; id < scores.length; id++) {
            scores[id] = 259 - id;
        }
        return new GgufVocabulary(
                "toy.gguf",
                "llama",
                "default",
                tokens,
                types.stream().mapToInt(Integer::intValue).toArray(),
                scores,
                List.of(),
                new GgufVocabulary.Ids(
                        OptionalInt.of(1),
                        OptionalInt.of(2),
                        OptionalInt.empty(),
                        OptionalInt.of(0),
                        OptionalInt.empty()),
                new GgufVocabulary.Flags(Optional.empty(), Optional.empty(), Optional.of(spacePrefix)),
                null);
    }

    /** A Unigram vocabulary in the way of T5: spaces by Metaspace, dropped at the start. */
    static String unigram() {
        return """
                {"version":"1.0","added_tokens":[{"id":0,"content":"<pad>","special":true,"single_word":false,
                "lstrip":false,"rstrip":false,"normalized":false}],
                "pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
                "decoder":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
                "model":{"type":"Unigram","unk_id":1,"vocab":[["<pad>",0],["<unk>",0],["▁the",-1],["▁",-2],["ship",-3],
                ["s",-3],["a",-3],["<",-4],["p",-4],["d",-4],[">",-4]]}}
                """;
    }

    static Tokenizer of(String json) {
        TokenizerFile file = TokenizerFile.parse("toy.json", json);
        return new DjlTokenizer(
                file,
                file.vocabulary(),
                () -> json,
                json,
                new DjlTokenizer.Ends(OptionalInt.empty(), Set.of(), Framing.of(file.postProcessor())));
    }

    /** Text with everything that is hard about text. */
    static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        int parts = random.nextInt(12);
        for (int i = 0; i < parts; i++) {
            if (random.nextInt(4) == 0) {
                int codePoint = random.nextInt(0x110000);
                text.appendCodePoint(Character.isSurrogate((char) codePoint) && codePoint < 0x10000 ? 'x' : codePoint);
            } else {
                text.append(SNIPPETS[random.nextInt(SNIPPETS.length)]);
            }
        }
        return text.toString();
    }

    static String joined(Tokenizer tokenizer, int[] ids) {
        Detokenizer detokenizer = tokenizer.detokenizer();
        StringBuilder text = new StringBuilder();
        for (int id : ids) {
            String added = detokenizer.add(id);
            if (!added.isEmpty() && Character.isHighSurrogate(added.charAt(added.length() - 1))) {
                throw new AssertionError("half a character in \"" + added + "\" of " + Arrays.toString(ids));
            }
            text.append(added);
        }
        return text.append(detokenizer.finish()).toString();
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
