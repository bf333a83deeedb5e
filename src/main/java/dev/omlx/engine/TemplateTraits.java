package dev.omlx.engine;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.text.ChatRequest;
import dev.omlx.text.ChatTemplate;
import dev.omlx.text.TextException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which conversations a chat template shows as they stand: every text, in its order. Found by showing it small ones, once
 * for a model and not once for a conversation: a template may take a conversation that it refuses a turn later, and what
 * was shown before must not change then.
 *
 * @param system whether there may be a system message
 * @param systemRuns whether there may be several in a row
 * @param lateSystems whether there may be some after the beginning
 * @param userRuns whether a user may speak twice in a row
 * @param assistantRuns whether an assistant may
 * @param userAfterTool whether a user may speak after a tool's result
 * @param anyCallId whether a call's id may have any length; it may have {@link #CALL_ID_LENGTH} letters and digits in
 *     any case
 */
record TemplateTraits(
        boolean system,
        boolean systemRuns,
        boolean lateSystems,
        boolean userRuns,
        boolean assistantRuns,
        boolean userAfterTool,
        boolean anyCallId) {
    /** Mistral's models know no others. */
    static final int CALL_ID_LENGTH = 9;

    /** Those of a template that is not to be judged. */
    static final TemplateTraits ANY = new TemplateTraits(true, true, true, true, true, true, true);

    private static final String SYSTEM = "system";
    private static final String USER = "user";
    private static final String ASSISTANT = "assistant";
    private static final String LONG_ID = "call_of_omlx_probe";
    private static final String SHORT_ID = "omlxprobe";

    /** @param tools what the conversations have; templates may differ with them */
    static TemplateTraits of(ChatTemplate template, List<Map<String, Object>> tools) {
        Probe probe = new Probe(template, tools);
        if (!probe.shows(USER) || !probe.shows(USER, ASSISTANT, USER)) {
            return ANY;
        }
        boolean system = probe.shows(SYSTEM, USER) && probe.shows(SYSTEM, USER, ASSISTANT, USER);
        return new TemplateTraits(
                system,
                system && probe.shows(SYSTEM, SYSTEM, USER),
                system && probe.shows(USER, SYSTEM) && probe.shows(SYSTEM, USER, ASSISTANT, SYSTEM, USER),
                probe.shows(USER, USER) && probe.shows(USER, ASSISTANT, USER, USER),
                probe.shows(USER, ASSISTANT, ASSISTANT, USER),
                probe.showsAfterResult(USER) || !probe.showsAfterResult(ASSISTANT, USER),
                probe.showsCall(LONG_ID) || !probe.showsCall(SHORT_ID));
    }

    private record Probe(ChatTemplate template, List<Map<String, Object>> tools) {
        boolean shows(String... roles) {
            return shows(turns(roles));
        }

        boolean showsCall(String id) {
            return shows(call(id));
        }

        boolean showsAfterResult(String... roles) {
            List<ChatMessage> messages = new ArrayList<>(call(SHORT_ID));
            messages.addAll(turns(roles));
            return shows(messages);
        }

        private static List<ChatMessage> turns(String... roles) {
            List<ChatMessage> messages = new ArrayList<>();
            for (String role : roles) {
                messages.add(ChatMessage.of(role, "omlx_probe_%d_%s".formatted(messages.size(), role)));
            }
            return messages;
        }

        private static List<ChatMessage> call(String id) {
            ToolCall call = new ToolCall(id, "omlx_probe", "{}");
            return List.of(
                    ChatMessage.user("omlx_probe_question"),
                    new ChatMessage(ASSISTANT, "", null, List.of(call), null, null),
                    new ChatMessage("tool", "omlx_probe_result", null, List.of(), id, "omlx_probe"));
        }

        private boolean shows(List<ChatMessage> messages) {
            try {
                String prompt =
                        template.render(new ChatRequest(MessageVariables.of(messages, null), tools, true, Map.of()));
                return showsInOrder(prompt, messages);
            } catch (TextException refused) {
                return false;
            }
        }

        private static boolean showsInOrder(String prompt, List<ChatMessage> messages) {
            int from = 0;
            for (ChatMessage message : messages) {
                String text = String.valueOf(message.content());
                int at = prompt.indexOf(text, from);
                if (at < 0) {
                    return false;
                }
                from = at + text.length();
            }
            return true;
        }
    }
}
