package dev.omlx.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How byte-level vocabularies of GGUF files split text before merging. The file holds only a name for it
 * ({@code tokenizer.ggml.pre}); the patterns are those of the models' own tokenizers.
 */
final class PreTokenizers {

    /**
     * @param patterns regular expressions applied one after the other; none = the pattern of GPT-2
     * @param wholeWords whether a word that is in the vocabulary is taken as it is, without merging
     * @param addBos whether BOS is put in front if the file does not say
     * @param composed whether text is brought to the composed form NFC first
     */
    record Scheme(List<String> patterns, boolean wholeWords, boolean addBos, boolean composed) {
        static Scheme plain(String... patterns) {
            return new Scheme(List.of(patterns), false, false, false);
        }
    }

    private static final String CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
    private static final String REST = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String REST_WITH_SLASH = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String WORDS = CONTRACTIONS + "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|";
    private static final String UPPER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String BEFORE = "[^\\r\\n\\p{L}\\p{N}]?";
    private static final String CJK = "[一-龥\u3040-ゟ゠-ヿ]+";
    private static final String MARKED = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
            + "|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

    private static final Map<String, Scheme> BY_NAME = new HashMap<>();

    static {
        name(
                Scheme.plain(),
                "gpt-2",
                "mpt",
                "olmo",
                "jais",
                "phi-2",
                "trillion",
                "granite-docling",
                "exaone4",
                "gigachat");
        name(
                Scheme.plain("\\p{N}"),
                "smollm",
                "starcoder",
                "refact",
                "command-r",
                "codeshell",
                "exaone",
                "minerva-7b",
                "mellum2");
        name(Scheme.plain("[\\p{P}\\$\\+<=>\\^~\\|]+", "\\p{N}+", "[0-9][0-9][0-9]"), "default");
        name(
                new Scheme(List.of(WORDS + "\\p{N}{1,3}" + REST), true, true, false),
                "llama3",
                "llama-v3",
                "llama-bpe",
                "falcon3",
                "falcon-h1",
                "pixtral",
                "lfm2");
        name(Scheme.plain(WORDS + "\\p{N}{1,3}" + REST), "dbrx", "smaug-bpe", "chatglm-bpe", "glm4");
        name(new Scheme(List.of(WORDS + "\\p{N}" + REST), false, false, true), "qwen2", "deepseek-r1-qwen");
        name(Scheme.plain(WORDS + "\\p{N}" + REST), "stablelm2", "megrez", "hunyuan", "solar-open");
        name(
                new Scheme(
                        List.of(CONTRACTIONS + "|" + BEFORE + "[\\p{L}\\p{M}]+|\\p{N}"
                                + "| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
                        false,
                        false,
                        true),
                "qwen35");
        name(new Scheme(List.of(cased("") + "|\\p{N}" + REST_WITH_SLASH), true, true, false), "tekken");
        name(
                Scheme.plain(cased(CONTRACTIONS + "?") + "|\\p{N}{1,3}" + REST_WITH_SLASH),
                "gpt-4o",
                "llama4",
                "minimax-m2");
        name(Scheme.plain("\\p{N}{1,3}", CJK, MARKED), "deepseek-v3", "hunyuan-dense", "joyai-llm");
    }

    private PreTokenizers() {}

    /** @throws TextException if the name is not known: a guess would give silently wrong tokens */
    static Scheme named(String file, @Nullable String pre) {
        Scheme scheme = BY_NAME.get(pre == null ? "default" : pre);
        if (scheme == null) {
            throw TextException.unsupported(
                    file,
                    "pre-tokenizer \"" + pre + "\" (tokenizer.ggml.pre) is not supported; known are "
                            + String.join(", ", new TreeSet<>(BY_NAME.keySet())));
        }
        return scheme;
    }

    /** The scheme as the {@code pre_tokenizer} of a {@code tokenizer.json}. */
    static Map<String, Object> json(Scheme scheme, boolean addPrefixSpace) {
        List<Map<String, Object>> stages = new ArrayList<>();
        for (String pattern : scheme.patterns()) {
            stages.add(Map.of(
                    "type", "Split", "pattern", Map.of("Regex", pattern), "behavior", "Isolated", "invert", false));
        }
        // those that split words with a pattern of their own need only the byte alphabet from the last stage
        boolean splitByGpt2 = scheme.patterns().stream().noneMatch(pattern -> pattern.contains("\\s+(?!\\S)"));
        stages.add(Map.of(
                "type",
                "ByteLevel",
                "add_prefix_space",
                addPrefixSpace,
                "trim_offsets",
                true,
                "use_regex",
                splitByGpt2));
        return Map.of("type", "Sequence", "pretokenizers", stages);
    }

    private static void name(Scheme scheme, String... names) {
        for (String name : names) {
            BY_NAME.put(name, scheme);
        }
    }

    /** Words that end where lower case turns to upper case. */
    private static String cased(String suffix) {
        return BEFORE + UPPER + "*" + LOWER + "+" + suffix + "|" + BEFORE + UPPER + "+" + LOWER + "*" + suffix;
    }
}
