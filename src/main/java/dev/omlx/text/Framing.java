package dev.omlx.text;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The ids a model expects before and after a bare text, as a {@code tokenizer.json} says in its post-processor. */
record Framing(int[] prefix, int[] suffix) {

    static final Framing NONE = new Framing(new int[0], new int[0]);

    static Framing of(@Nullable JsonNode postProcessor) {
        if (postProcessor == null) {
            return NONE;
        }
        return switch (postProcessor.path("type").asString("")) {
            case "TemplateProcessing" -> template(postProcessor);
            case "BertProcessing", "RobertaProcessing" ->
                new Framing(pairId(postProcessor.path("cls")), pairId(postProcessor.path("sep")));
            case "Sequence" -> sequence(postProcessor.path("processors"));
            default -> NONE;
        };
    }

    int[] around(int[] ids) {
        boolean there = ids.length >= prefix.length && Arrays.equals(ids, 0, prefix.length, prefix, 0, prefix.length);
        IntStream before = there ? IntStream.empty() : Arrays.stream(prefix);
        return IntStream.concat(IntStream.concat(before, Arrays.stream(ids)), Arrays.stream(suffix))
                .toArray();
    }

    private static Framing template(JsonNode processor) {
        IntStream.Builder prefix = IntStream.builder();
        IntStream.Builder suffix = IntStream.builder();
        IntStream.Builder current = prefix;
        for (JsonNode piece : processor.path("single")) {
            if (piece.has("Sequence")) {
                current = suffix;
            }
            String special = piece.path("SpecialToken").path("id").asString("");
            for (JsonNode id : processor.path("special_tokens").path(special).path("ids")) {
                current.add(id.asInt(0));
            }
        }
        return new Framing(prefix.build().toArray(), suffix.build().toArray());
    }

    private static Framing sequence(JsonNode processors) {
        Framing found = NONE;
        for (JsonNode processor : processors) {
            Framing framing = of(processor);
            found = framing.prefix.length + framing.suffix.length > 0 ? framing : found;
        }
        return found;
    }

    /** {@code ["[CLS]", 101]} */
    private static int[] pairId(JsonNode pair) {
        return pair.path(1).isInt() ? new int[] {pair.path(1).asInt()} : new int[0];
    }
}
