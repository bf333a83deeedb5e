package dev.omlx.api.openai.responses;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.json.TokenLogprobBody;
import dev.omlx.engine.api.TokenLogprob;
import java.util.ArrayList;
import java.util.List;

/** A message that is being said. */
final class OpenMessage extends OpenItem {
    private final List<TokenLogprobBody> tokens = new ArrayList<>();
    private int sentTokens;

    OpenMessage(int outputIndex) {
        super(RequestId.random("msg_"), outputIndex);
    }

    void add(String more, List<TokenLogprob> itsTokens) {
        add(more);
        itsTokens.stream().map(TokenLogprobBody::of).forEach(tokens::add);
    }

    @Override
    void begin(List<StreamEvent> events) {
        events.add(
                StreamEvent.OfItem.added(outputIndex, new OutputItem.Message(id, OutputItem.IN_PROGRESS, List.of())));
        events.add(StreamEvent.OfContent.added(id, outputIndex, new OutputItem.Text("", List.of())));
    }

    /** Tokens may stand for no text. */
    @Override
    boolean hasMore() {
        return sentTokens < tokens.size();
    }

    @Override
    StreamEvent delta(String more) {
        List<TokenLogprobBody> added = List.copyOf(tokens.subList(sentTokens, tokens.size()));
        sentTokens = tokens.size();
        return new StreamEvent.TextDelta(id, outputIndex, more, added);
    }

    @Override
    OutputItem end(String status, List<StreamEvent> events) {
        OutputItem.Text part = new OutputItem.Text(text(), List.copyOf(tokens));
        OutputItem message = new OutputItem.Message(id, status, List.of(part));
        events.add(new StreamEvent.TextDone(id, outputIndex, part.text(), part.logprobs()));
        events.add(StreamEvent.OfContent.done(id, outputIndex, part));
        events.add(StreamEvent.OfItem.done(outputIndex, message));
        return message;
    }
}
