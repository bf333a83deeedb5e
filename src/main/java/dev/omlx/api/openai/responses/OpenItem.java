package dev.omlx.api.openai.responses;

import java.util.List;

/** An item that the model is writing: its start, its deltas and its end. */
abstract sealed class OpenItem permits OpenMessage, OpenReasoning {
    final String id;
    final int outputIndex;
    private final StringBuilder text = new StringBuilder();
    private int sent;
    private int deltas;

    /** @param outputIndex which item of the response it is */
    OpenItem(String id, int outputIndex) {
        this.id = id;
        this.outputIndex = outputIndex;
    }

    /** Says that it begins. */
    abstract void begin(List<StreamEvent> events);

    /** Says what was added. */
    abstract StreamEvent delta(String more);

    /** Says that it has ended; returns it whole. */
    abstract OutputItem end(String status, List<StreamEvent> events);

    void add(String more) {
        text.append(more);
        deltas++;
    }

    String text() {
        return text.toString();
    }

    /** Whether something beside text was added that {@link #delta} has yet to say. */
    boolean hasMore() {
        return false;
    }

    /** Sends added text, if it is the first of the item or comes from that many deltas. */
    final void send(int least, List<StreamEvent> events) {
        if (sent < text.length() && (sent == 0 || deltas >= least)) {
            sendAll(events);
        }
    }

    /** Sends whatever was not sent yet. */
    final void sendRest(List<StreamEvent> events) {
        if (sent < text.length() || hasMore()) {
            sendAll(events);
        }
    }

    private void sendAll(List<StreamEvent> events) {
        events.add(delta(text.substring(sent)));
        sent = text.length();
        deltas = 0;
    }
}
