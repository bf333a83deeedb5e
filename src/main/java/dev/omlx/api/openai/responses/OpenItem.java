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

    /** Sends what was added, if it is the first of the item or comes from that many deltas. */
    final void send(int least, List<StreamEvent> events) {
        boolean due = sent == 0 || deltas >= least;
        if (due && sent < text.length()) {
            events.add(delta(text.substring(sent)));
            sent = text.length();
            deltas = 0;
        }
    }
}
