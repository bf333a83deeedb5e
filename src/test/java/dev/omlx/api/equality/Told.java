package dev.omlx.api.equality;

import java.util.List;

/**
 * What a client knows of an answer in the end; ids are made up anew each time and are left out.
 *
 * @param choices each with its text, its thoughts, its calls, why it ended and its tokens with their log-probabilities
 * @param usage what was counted, as the face writes it
 */
record Told(List<String> choices, String usage) {

    /** Puts one choice together out of its parts. */
    static final class Choice {
        final StringBuilder text = new StringBuilder();
        final StringBuilder thoughts = new StringBuilder();
        final StringBuilder calls = new StringBuilder();
        final StringBuilder tokens = new StringBuilder();
        /** The kinds of parts in their order, where a face keeps it. */
        final StringBuilder order = new StringBuilder();

        String reason = "";

        /** Notes a part of another kind than the one before. */
        void part(char kind) {
            if (order.isEmpty() || kind == 'c' || order.charAt(order.length() - 1) != kind) {
                order.append(kind);
            }
        }

        void call(String name, String arguments) {
            calls.append(name).append(' ').append(arguments).append(';');
        }

        String told() {
            return "text <%s> thoughts <%s> calls <%s> order <%s> tokens <%s> reason <%s>"
                    .formatted(text, thoughts, calls, order, tokens, reason);
        }
    }
}
