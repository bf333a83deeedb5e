package dev.omlx.api.rerank;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.omlx.engine.api.Reranker.Scores;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Ranked documents on the wire, the best first. */
record RerankBody(String id, String model, List<Result> results, Usage usage) {
    record Result(
            int index,
            float relevanceScore,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Document document) {}

    record Document(String text) {}

    record Usage(int promptTokens, int totalTokens) {}

    /** A result in TEI's words, of which an array is the whole body. */
    record TeiResult(
            int index,
            float score,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String text) {}

    /** The body in the request's shape. */
    static Object of(String id, Scores scores, RerankRequest request) {
        List<Integer> best = IntStream.range(0, request.documents().size())
                .boxed()
                .sorted(Comparator.comparing(scores.scores()::get, Comparator.reverseOrder()))
                .limit(request.top())
                .toList();
        return switch (request.shape()) {
            case COHERE ->
                new RerankBody(
                        id,
                        scores.model(),
                        best.stream()
                                .map(index -> result(index, scores, request))
                                .toList(),
                        new Usage(scores.promptTokens(), scores.promptTokens()));
            case TEI ->
                best.stream()
                        .map(index -> new TeiResult(index, scores.scores().get(index), text(index, request)))
                        .toList();
        };
    }

    private static Result result(int index, Scores scores, RerankRequest request) {
        String text = text(index, request);
        return new Result(index, scores.scores().get(index), text == null ? null : new Document(text));
    }

    private static @Nullable String text(int index, RerankRequest request) {
        return request.returnTexts() ? request.documents().get(index) : null;
    }
}
