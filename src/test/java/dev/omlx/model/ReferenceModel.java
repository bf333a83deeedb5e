package dev.omlx.model;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A tiny checkpoint and what mlx-lm computes with it. */
record ReferenceModel(String name, Tolerance tolerance, List<Case> prompts) {
    private static final Path ROOT = Path.of("src/test/resources/reference/models");
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * @param logits_rel of the largest absolute logit
     * @param greedy_margin where the best token must be ours too; null where {@code greedy_margin_rel} says it
     * @param greedy_margin_rel the same as a part of the largest absolute logit
     */
    record Tolerance(
            double logits_rel,
            @Nullable Double greedy_margin,
            @Nullable Double greedy_margin_rel) {
        double margin(Case prompt) {
            return greedy_margin != null ? greedy_margin : requireNonNull(greedy_margin_rel) * prompt.largest();
        }
    }

    record Case(
            int[] tokens,
            float[] logits,
            double logprob_sum,
            int[] greedy,
            int[] greedy_second,
            double[] greedy_margins) {
        double largest() {
            double largest = 0;
            for (float logit : logits) {
                largest = Math.max(largest, Math.abs(logit));
            }
            return largest;
        }
    }

    static Path path(String name) {
        return ROOT.resolve(name);
    }

    static ReferenceModel read(String name) {
        try {
            return JSON.readValue(Files.readAllBytes(path(name).resolve("expected.json")), ReferenceModel.class);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static List<String> namesStartingWith(String... prefixes) {
        try (var folders = Files.list(ROOT)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> java.util.Arrays.stream(prefixes)
                            .anyMatch(prefix -> name.equals(prefix) || name.startsWith(prefix + "-")))
                    .sorted()
                    .toList();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
