package dev.omlx.engine.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happens to a request, in the order that {@link InferenceEngine#generate} describes. */
public sealed interface GenerationEvent {
    /**
     * The prompt is valid and the request is accepted.
     *
     * @param model id of the model that answers
     * @param promptTokens length of the prompt
     */
    record Started(String requestId, String model, int promptTokens) implements GenerationEvent {}

    /**
     * More of an answer's text. Never holds half a character, nor any part of a stop text, nor markup of reasoning or tool
     * calls.
     *
     * @param choice which answer, from 0
     * @param text may be empty where only tokens are reported
     * @param tokens the tokens behind the text, where log-probabilities were asked for; else empty
     */
    record Delta(int choice, String text, List<TokenLogprob> tokens) implements GenerationEvent {
        public Delta {
            tokens = List.copyOf(tokens);
        }
    }

    /**
     * More of what the model thinks before it answers, or between parts of its answer.
     *
     * @param text never empty
     */
    record ReasoningDelta(int choice, String text) implements GenerationEvent {}

    /**
     * The model calls a function. The call is whole, its function is one of the prompt's tools, and has the arguments that
     * the tool requires.
     *
     * @param id unique in the choice
     * @param arguments the text of a JSON object
     */
    record ToolCall(int choice, String id, String name, String arguments) implements GenerationEvent {}

    /**
     * An answer has ended.
     *
     * @param stop the stop text that matched, if one did
     */
    record ChoiceFinished(
            int choice, FinishReason reason, @Nullable String stop) implements GenerationEvent {}

    /** All answers have ended; the last event. */
    record Completed(Usage usage, Timings timings) implements GenerationEvent {}
}
