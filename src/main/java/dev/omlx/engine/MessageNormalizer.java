package dev.omlx.engine;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes conversations such as clients send into such as a chat template shows in full. What a template shows as it stands
 * is not changed. All changes are local: what a message becomes depends on those before it alone, so that the next turn's
 * prompt begins with this one's.
 */
final class MessageNormalizer {
    private static final String SYSTEM = "system";
    private static final String USER = "user";
    private static final String ASSISTANT = "assistant";
    private static final String TOOL = "tool";
    private static final String GAP = "\n\n";

    /** A turn that a template misses; some refuse turns without any text. */
    private static final String BLANK = " ";

    /**
     * Claude Code begins its system message with a line of accounting, which is another one for each request: the model
     * has no use for it, and it would keep every prompt from sharing its beginning with the one before.
     */
    private static final String BILLING = "x-anthropic-billing-header:";

    private final TemplateTraits traits;

    MessageNormalizer(TemplateTraits traits) {
        this.traits = traits;
    }

    /** The messages without what is another thing each time and means nothing to any model. */
    static List<ChatMessage> withoutBilling(List<ChatMessage> messages) {
        List<ChatMessage> kept = messages.stream()
                .map(MessageNormalizer::withoutBilling)
                .filter(Objects::nonNull)
                .toList();
        return kept.isEmpty() ? messages : kept;
    }

    /** The messages as the template shows them, at least one. */
    List<ChatMessage> normalize(List<ChatMessage> messages) {
        List<ChatMessage> normal = new ArrayList<>();
        boolean beginning = true;
        for (ChatMessage message : messages) {
            beginning &= message.role().equals(SYSTEM);
            add(normal, withIds(withRole(message, beginning)));
        }
        return normal;
    }

    private static @Nullable ChatMessage withoutBilling(ChatMessage message) {
        String text = message.content();
        if (text == null || !message.role().equals(SYSTEM) || !text.startsWith(BILLING)) {
            return message;
        }
        while (text.startsWith(BILLING)) {
            int end = text.indexOf('\n');
            text = end < 0 ? "" : text.substring(end).stripLeading();
        }
        return text.isEmpty() ? null : withContent(message, text);
    }

    /** A system message where the template has no place for one becomes the user's, marked if it is but a note. */
    private ChatMessage withRole(ChatMessage message, boolean beginning) {
        if (!message.role().equals(SYSTEM) || (beginning ? traits.system() : traits.lateSystems())) {
            return message;
        }
        String text = text(message);
        return ChatMessage.user(beginning ? text : "<system>\n" + text + "\n</system>");
    }

    private ChatMessage withIds(ChatMessage message) {
        if (traits.anyCallId()) {
            return message;
        }
        return new ChatMessage(
                message.role(),
                message.content(),
                message.reasoning(),
                message.toolCalls().stream()
                        .map(call -> new ToolCall(shortId(call.id()), call.name(), call.arguments()))
                        .toList(),
                message.role().equals(TOOL) ? shortId(message.toolCallId()) : message.toolCallId(),
                message.name());
    }

    /** The same for the same id, in a call and its result, now and later. */
    private static String shortId(@Nullable String id) {
        String given = id == null ? "" : id;
        if (given.matches("[A-Za-z0-9]{" + TemplateTraits.CALL_ID_LENGTH + "}")) {
            return given;
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(given.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, TemplateTraits.CALL_ID_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private void add(List<ChatMessage> messages, ChatMessage message) {
        String before = messages.isEmpty() ? "" : messages.getLast().role();
        if (before.equals(message.role()) && !mayRepeat(before)) {
            messages.add(joined(messages.removeLast(), message));
            return;
        }
        if (before.equals(TOOL) && message.role().equals(USER) && !traits.userAfterTool()) {
            messages.add(ChatMessage.assistant(BLANK));
        }
        messages.add(message);
    }

    private boolean mayRepeat(String role) {
        return switch (role) {
            case SYSTEM -> traits.systemRuns();
            case USER -> traits.userRuns();
            case ASSISTANT -> traits.assistantRuns();
            default -> true;
        };
    }

    private static ChatMessage joined(ChatMessage first, ChatMessage second) {
        return new ChatMessage(
                first.role(),
                joined(first.content(), second.content()),
                joined(first.reasoning(), second.reasoning()),
                Stream.concat(first.toolCalls().stream(), second.toolCalls().stream())
                        .toList(),
                null,
                Objects.equals(first.name(), second.name()) ? first.name() : null);
    }

    private static @Nullable String joined(@Nullable String first, @Nullable String second) {
        if (first == null || first.isEmpty()) {
            return second == null ? first : second;
        }
        return second == null || second.isEmpty() ? first : first + GAP + second;
    }

    private static ChatMessage withContent(ChatMessage message, String content) {
        return new ChatMessage(
                message.role(),
                content,
                message.reasoning(),
                message.toolCalls(),
                message.toolCallId(),
                message.name());
    }

    private static String text(ChatMessage message) {
        return message.content() == null ? "" : message.content();
    }
}
