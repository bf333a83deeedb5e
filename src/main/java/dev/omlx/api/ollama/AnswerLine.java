package dev.omlx.api.ollama;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.omlx.api.json.TokenLogprobBody;
import dev.omlx.api.ollama.AnswerRequest.Shape;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.TokenLogprob;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer, or a part of one: an object on a line of its own where it is streamed.
 *
 * @param logprobs of the tokens behind the text; left out where there are none
 * @param ending how it ended; null as long as more follows
 */
record AnswerLine(
        String model,
        String createdAt,
        @JsonUnwrapped Part part,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TokenLogprobBody> logprobs,

        boolean done,
        @JsonUnwrapped @Nullable Ending ending) {

    static AnswerLine of(AnswerRequest request, Part part, List<TokenLogprob> tokens, @Nullable Ending ending) {
        return new AnswerLine(
                request.model(),
                Instant.now().toString(),
                part,
                tokens.stream().map(TokenLogprobBody::of).toList(),
                ending != null,
                ending);
    }

    /** What the model said, in the words of one endpoint. */
    sealed interface Part {
        static Part of(Shape shape, String text, String thinking, List<Call> calls) {
            @Nullable String thoughts = thinking.isEmpty() ? null : thinking;
            return switch (shape) {
                case CHAT -> new Said(new Message("assistant", text, thoughts, calls));
                case GENERATE -> new Continued(text, thoughts);
            };
        }
    }

    record Said(Message message) implements Part {}

    record Continued(
            String response,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String thinking) implements Part {}

    /**
     * What the assistant said.
     *
     * @param thinking left out where it did not think
     * @param toolCalls left out where there are none
     */
    record Message(
            String role,
            String content,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String thinking,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Call> toolCalls) {}

    record Call(String id, Function function) {
        /** @param index place of the call among those of the answer, from 0 */
        static Call of(GenerationEvent.ToolCall call, int index) {
            return new Call(
                    call.id(),
                    new Function(index, call.name(), JsonMapper.shared().readTree(call.arguments())));
        }
    }

    /** @param arguments an object */
    record Function(int index, String name, JsonNode arguments) {}

    /**
     * How an answer ended. Durations are in nanoseconds.
     *
     * @param loadDuration until it had its turn
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Ending(
            String doneReason,
            @Nullable Long totalDuration,
            @Nullable Long loadDuration,
            @Nullable Integer promptEvalCount,
            @Nullable Long promptEvalDuration,
            @Nullable Integer evalCount,
            @Nullable Long evalDuration) {
        /** Nothing was asked for but to have the model loaded, as it is. */
        static final Ending LOADED = new Ending("load", null, null, null, null, null, null);

        static Ending of(FinishReason reason, Completed completed) {
            var timings = completed.timings();
            return new Ending(
                    reason(reason),
                    timings.total().toNanos(),
                    timings.queued().toNanos(),
                    completed.usage().promptTokens(),
                    timings.timeToFirstToken().minus(timings.queued()).toNanos(),
                    completed.usage().completionTokens(),
                    timings.decode().toNanos());
        }

        private static String reason(FinishReason reason) {
            return switch (reason) {
                case STOP, TOOL_CALLS -> "stop";
                case LENGTH -> "length";
            };
        }
    }
}
