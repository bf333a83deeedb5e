package dev.omlx.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a token of a {@code tokenizer.json} adds to the text, read from the file's {@code decoder}. Every supported
 * decoder works token by token, except at the start of the text, where a marker of a leading space is dropped.
 */
final class TokenDecoder {

    /** One stage of the file's decoder. */
    private sealed interface Stage {
        /** Spelled in the byte alphabet; otherwise only tokens such as {@code <0xE2>} are bytes. */
        record Bytes(boolean alphabet) implements Stage {}

        record Replace(String from, String to) implements Stage {}

        record StripEach(String character, int start, int stop) implements Stage {}

        record Continuation(String prefix) implements Stage {}
    }

    private final List<Stage> stages = new ArrayList<>();
    private int leadingSpaces;
    private @Nullable String droppedAtStart;
    private boolean fused;

    private TokenDecoder() {}

    /** @throws TextException if the decoder is of a kind that is not known */
    static TokenDecoder of(String file, @Nullable JsonNode decoder) {
        TokenDecoder result = new TokenDecoder();
        if (decoder == null || decoder.isNull()) {
            // without a decoder the tokens are words
            result.addWords("");
        } else {
            result.add(file, decoder);
        }
        return result;
    }

    /** How many spaces are cut off at the start of the text. */
    int leadingSpaces() {
        return leadingSpaces;
    }

    /** Whether {@link #decodeFirst} differs from {@link #decode}. */
    boolean firstDiffers() {
        return droppedAtStart != null;
    }

    /** What the token adds when it is the first of the text. */
    byte[] decodeFirst(String token, boolean added) {
        return decode(droppedAtStart == null ? token : token.replace(droppedAtStart, ""), added);
    }

    byte[] decode(String token, boolean added) {
        String text = token;
        for (Stage stage : stages) {
            switch (stage) {
                case Stage.Bytes bytes -> {
                    if (bytes.alphabet) {
                        // an added token is literal text, not spelled in the alphabet
                        return added ? text.getBytes(StandardCharsets.UTF_8) : ByteLevelAlphabet.decode(text);
                    }
                    int b = fallbackByte(text);
                    if (b >= 0) {
                        return new byte[] {(byte) b};
                    }
                }
                case Stage.Replace replace -> text = text.replace(replace.from, replace.to);
                case Stage.StripEach strip -> text = strip(text, strip.character, strip.start, strip.stop);
                case Stage.Continuation word ->
                    text = !word.prefix.isEmpty() && text.startsWith(word.prefix)
                            ? text.substring(word.prefix.length())
                            : " " + text;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void add(String file, JsonNode decoder) {
        String type = decoder.path("type").asString("");
        switch (type) {
            case "Sequence" -> {
                for (JsonNode stage : decoder.path("decoders")) {
                    add(file, stage);
                }
            }
            case "ByteLevel" -> stages.add(new Stage.Bytes(true));
            case "ByteFallback" -> stages.add(new Stage.Bytes(false));
            case "Fuse" -> fused = true;
            case "Replace" -> addReplace(file, decoder);
            case "Strip" -> addStrip(file, decoder);
            case "Metaspace" -> addMetaspace(decoder);
            case "WordPiece" -> addWords(decoder.path("prefix").asString("##"));
            default -> throw TextException.unsupported(file, "decoder of type \"" + type + "\" is not supported");
        }
    }

    private void addReplace(String file, JsonNode decoder) {
        JsonNode from = decoder.path("pattern").path("String");
        JsonNode to = decoder.path("content");
        if (!from.isString() || !to.isString() || from.asString().isEmpty()) {
            throw TextException.unsupported(file, "decoder Replace without a plain string pattern is not supported");
        }
        stages.add(new Stage.Replace(from.asString(), to.asString()));
    }

    private void addStrip(String file, JsonNode decoder) {
        String character = decoder.path("content").asString("");
        int start = decoder.path("start").asInt(0);
        int stop = decoder.path("stop").asInt(0);
        if (!fused) {
            stages.add(new Stage.StripEach(character, start, stop));
        } else if (character.equals(" ") && stop == 0) {
            leadingSpaces = start;
        } else {
            throw TextException.unsupported(file, "decoder Strip of other than leading spaces is not supported");
        }
    }

    private void addMetaspace(JsonNode decoder) {
        String replacement = decoder.path("replacement").asString("▁");
        boolean prepended = decoder.has("prepend_scheme")
                ? !decoder.path("prepend_scheme").asString("").equals("never")
                : decoder.path("add_prefix_space").asBoolean(true);
        stages.add(new Stage.Replace(replacement, " "));
        if (prepended) {
            droppedAtStart = replacement;
        }
    }

    private void addWords(String prefix) {
        stages.add(new Stage.Continuation(prefix));
        leadingSpaces = 1;
    }

    private static String strip(String text, String character, int start, int stop) {
        int from = 0;
        int to = text.length();
        int width = character.length();
        for (int n = 0; n < start && width > 0 && text.startsWith(character, from); n++) {
            from += width;
        }
        for (int n = 0; n < stop && width > 0 && to - width >= from && text.startsWith(character, to - width); n++) {
            to -= width;
        }
        return text.substring(from, to);
    }

    /** The byte that a token such as {@code <0xE2>} stands for, or -1. */
    private static int fallbackByte(String token) {
        if (token.length() != 6 || !token.startsWith("<0x") || token.charAt(5) != '>') {
            return -1;
        }
        int high = Character.digit(token.charAt(3), 16);
        int low = Character.digit(token.charAt(4), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
