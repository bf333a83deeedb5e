package dev.omlx.api.openai;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.PriorityField;
import dev.omlx.api.request.SamplingFields;
import dev.omlx.api.request.TextOrTokens;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Priority;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Reads the body of {@code POST /v1/completions}. Fields that it does not know are ignored. */
final class CompletionRequestReader {
    private static final int MAX_PROMPTS = 2048;
    private static final int MAX_CHOICES = 128;
    private static final int MAX_LOGPROBS = 5;
    private static final int DEFAULT_MAX_TOKENS = 16;
    private static final String ID_PREFIX = "cmpl-";

    private final ModelLookup models;

    CompletionRequestReader(ModelLookup models) {
        this.models = models;
    }

    CompletionRequest read(JsonFields body, HttpHeaders headers) {
        ModelDescription model = models.find(body.string("model"));
        UnservedFields.refuse(body);
        refuseSuffix(body);
        StreamFields stream = StreamFields.read(body);
        boolean echo = body.flag("echo", false);
        int choices = body.integer("n", 1, MAX_CHOICES, 1);
        int candidates = candidates(body, choices, stream.stream());
        Integer logprobs = body.integer("logprobs", 0, MAX_LOGPROBS);
        // the best ones are told by their log-probabilities
        boolean scored = logprobs != null || candidates > choices;
        List<Prompt> prompts = TextOrTokens.read(body, "prompt", model.vocabularySize(), MAX_PROMPTS);
        String id = RequestId.random(ID_PREFIX);
        List<GenerationRequest> generations = generations(
                id,
                model,
                prompts,
                SamplingFields.sampling(body, model),
                SamplingFields.stop(body, model, maxTokens(body, echo)).thinkingAtMost(ThinkingBudgetFields.read(body)),
                new OutputOptions(candidates, scored, logprobs == null ? 0 : logprobs, echo),
                PriorityField.read(body, headers));
        return new CompletionRequest(id, model, generations, choices, logprobs != null, stream);
    }

    private static List<GenerationRequest> generations(
            String id,
            ModelDescription model,
            List<Prompt> prompts,
            SamplingOptions sampling,
            StopConditions stop,
            OutputOptions output,
            Priority priority) {
        List<GenerationRequest> generations = new ArrayList<>(prompts.size());
        for (int i = 0; i < prompts.size(); i++) {
            generations.add(new GenerationRequest(
                    prompts.size() == 1 ? id : id + "-" + i,
                    model.id(),
                    prompts.get(i),
                    sampling,
                    stop,
                    output,
                    priority));
        }
        return generations;
    }

    private static void refuseSuffix(JsonFields body) {
        @Nullable String suffix = body.string("suffix");
        if (suffix != null && !suffix.isEmpty()) {
            throw body.invalid("suffix", "is not supported: this model cannot fill in the middle of a text");
        }
    }

    private static int candidates(JsonFields body, int choices, boolean stream) {
        int candidates = body.integer("best_of", 1, MAX_CHOICES, choices);
        if (candidates < choices) {
            throw body.invalid("best_of", "must not be less than 'n', " + choices);
        }
        if (stream && candidates > choices) {
            throw body.invalid("best_of", "must be equal to 'n' when 'stream' is true: the best are known at the end");
        }
        return candidates;
    }

    private static int maxTokens(JsonFields body, boolean echo) {
        Integer maxTokens = SamplingFields.maxTokens(body, "max_tokens", 0);
        if (maxTokens == null) {
            return DEFAULT_MAX_TOKENS;
        }
        if (maxTokens == 0 && !echo) {
            throw body.invalid("max_tokens", "must be at least 1 unless 'echo' is true");
        }
        return maxTokens;
    }
}
