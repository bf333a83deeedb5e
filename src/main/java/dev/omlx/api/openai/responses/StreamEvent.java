package dev.omlx.api.openai.responses;

import dev.omlx.api.json.TokenLogprobBody;
import java.util.List;

/**
 * An event of a response's stream, which is numbered when it is sent. An {@code outputIndex} says which item of the
 * response it belongs to, a {@code contentIndex} or {@code summaryIndex} which part of that.
 */
sealed interface StreamEvent {
    String type();

    /** @param response as it is by now */
    record OfResponse(String type, ResponseBody response) implements StreamEvent {}

    record OfItem(String type, int outputIndex, OutputItem item) implements StreamEvent {
        static OfItem added(int outputIndex, OutputItem item) {
            return new OfItem("response.output_item.added", outputIndex, item);
        }

        static OfItem done(int outputIndex, OutputItem item) {
            return new OfItem("response.output_item.done", outputIndex, item);
        }
    }

    record OfContent(String type, String itemId, int outputIndex, int contentIndex, OutputItem.ContentPart part)
            implements StreamEvent {
        static OfContent added(String itemId, int outputIndex, OutputItem.ContentPart part) {
            return new OfContent("response.content_part.added", itemId, outputIndex, 0, part);
        }

        static OfContent done(String itemId, int outputIndex, OutputItem.ContentPart part) {
            return new OfContent("response.content_part.done", itemId, outputIndex, 0, part);
        }
    }

    record TextDelta(
            String type,
            String itemId,
            int outputIndex,
            int contentIndex,
            String delta,
            List<TokenLogprobBody> logprobs)
            implements StreamEvent {
        TextDelta(String itemId, int outputIndex, String delta, List<TokenLogprobBody> logprobs) {
            this("response.output_text.delta", itemId, outputIndex, 0, delta, logprobs);
        }
    }

    record TextDone(
            String type, String itemId, int outputIndex, int contentIndex, String text, List<TokenLogprobBody> logprobs)
            implements StreamEvent {
        TextDone(String itemId, int outputIndex, String text, List<TokenLogprobBody> logprobs) {
            this("response.output_text.done", itemId, outputIndex, 0, text, logprobs);
        }
    }

    record ThoughtsDelta(String type, String itemId, int outputIndex, int contentIndex, String delta)
            implements StreamEvent {
        ThoughtsDelta(String itemId, int outputIndex, String delta) {
            this("response.reasoning_text.delta", itemId, outputIndex, 0, delta);
        }
    }

    record ThoughtsDone(String type, String itemId, int outputIndex, int contentIndex, String text)
            implements StreamEvent {
        ThoughtsDone(String itemId, int outputIndex, String text) {
            this("response.reasoning_text.done", itemId, outputIndex, 0, text);
        }
    }

    record OfSummary(String type, String itemId, int outputIndex, int summaryIndex, OutputItem.Part part)
            implements StreamEvent {
        static OfSummary added(String itemId, int outputIndex, OutputItem.Part part) {
            return new OfSummary("response.reasoning_summary_part.added", itemId, outputIndex, 0, part);
        }

        static OfSummary done(String itemId, int outputIndex, OutputItem.Part part) {
            return new OfSummary("response.reasoning_summary_part.done", itemId, outputIndex, 0, part);
        }
    }

    record SummaryDelta(String type, String itemId, int outputIndex, int summaryIndex, String delta)
            implements StreamEvent {
        SummaryDelta(String itemId, int outputIndex, String delta) {
            this("response.reasoning_summary_text.delta", itemId, outputIndex, 0, delta);
        }
    }

    record SummaryDone(String type, String itemId, int outputIndex, int summaryIndex, String text)
            implements StreamEvent {
        SummaryDone(String itemId, int outputIndex, String text) {
            this("response.reasoning_summary_text.done", itemId, outputIndex, 0, text);
        }
    }

    record ArgumentsDelta(String type, String itemId, int outputIndex, String delta) implements StreamEvent {
        ArgumentsDelta(String itemId, int outputIndex, String delta) {
            this("response.function_call_arguments.delta", itemId, outputIndex, delta);
        }
    }

    record ArgumentsDone(String type, String itemId, int outputIndex, String name, String arguments)
            implements StreamEvent {
        ArgumentsDone(String itemId, int outputIndex, String name, String arguments) {
            this("response.function_call_arguments.done", itemId, outputIndex, name, arguments);
        }
    }
}
