package dev.omlx.engine;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.ModelDescription.Capability;
import dev.omlx.engine.api.Prompt;
import dev.omlx.parse.DeclaredTools;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.text.ChatRequest;
import dev.omlx.text.ChatTemplate;
import dev.omlx.text.EncodedPrompt;
import dev.omlx.text.ModelText;
import dev.omlx.text.PromptEncoder;
import dev.omlx.text.TextException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes prompts of conversations, by the chat template of one model. Safe from any thread. */
final class ChatPrompts {
    private static final String PROBE_NAME = "omlx_probe";
    private static final Map<String, Object> PROBE = Map.of(
            "type",
            "function",
            "function",
            Map.of(
                    "name",
                    PROBE_NAME,
                    "description",
                    "",
                    "parameters",
                    Map.of("type", "object", "properties", Map.of(), "required", List.of())));

    private final PromptEncoder encoder;
    private final boolean showsTools;
    private final OutputFormat format;
    private final ThinkingBudget.Ends thinkingEnds;
    private final MessageNormalizer withTools;
    private final MessageNormalizer withoutTools;

    /** @param output how the model writes, given what its template shows */
    ChatPrompts(ModelText text, UnaryOperator<OutputFormat> output) {
        ChatTemplate template = text.chatTemplate();
        this.encoder = new PromptEncoder(text.tokenizer(), template);
        this.showsTools = showsTools(template);
        OutputFormat shown = OutputFormat.of(template.source(false) + template.source(true));
        // the channels of Harmony are there without tools, too
        boolean own = showsTools || shown.tools() == ToolFormat.HARMONY;
        this.withTools = new MessageNormalizer(TemplateTraits.of(template, List.of(PROBE)));
        this.withoutTools = new MessageNormalizer(TemplateTraits.of(template, List.of()));
        this.format = output.apply(own ? shown : shown.with(null, ToolFormat.HERMES));
        this.thinkingEnds = ThinkingBudget.Ends.of(format, text.tokenizer());
    }

    /** Many templates ignore what they do not know. */
    private static boolean showsTools(ChatTemplate template) {
        Map<String, Object> question = Map.of("role", "user", "content", "");
        try {
            return template.render(new ChatRequest(List.of(question), List.of(PROBE), true, Map.of()))
                    .contains(PROBE_NAME);
        } catch (TextException picky) {
            // it looked at the tool closely
            return true;
        }
    }

    Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.of(Capability.CHAT);
        if (format.tools() != ToolFormat.NONE) {
            capabilities.add(Capability.TOOLS);
        }
        if (format.hasReasoning()) {
            capabilities.add(Capability.REASONING);
        }
        return capabilities;
    }

    /** @throws EngineException if the template refuses the conversation */
    PreparedPrompt prepare(Prompt.Chat chat) {
        EncodedPrompt prompt = encode(normalized(chat));
        DeclaredTools tools = DeclaredTools.of(chat.tools());
        return new PreparedPrompt(
                prompt.ids(), () -> format.parser(prompt.text(), tools), most -> budget(prompt.text(), most));
    }

    private @Nullable ThinkingBudget budget(String prompt, int most) {
        return format.hasReasoning() ? new ThinkingBudget(most, format.tracker(prompt), thinkingEnds) : null;
    }

    private Prompt.Chat normalized(Prompt.Chat chat) {
        Prompt.Chat clean = chat.with(MessageNormalizer.withoutBilling(chat.messages()));
        Prompt.Chat shown = showsTools ? clean : ToolPrompt.spelledOut(clean);
        MessageNormalizer normalizer = shown.tools().isEmpty() ? withoutTools : withTools;
        return shown.with(normalizer.normalize(shown.messages()));
    }

    private EncodedPrompt encode(Prompt.Chat chat) {
        try {
            return encode(chat, null);
        } catch (TextException e) {
            if (e.kind() == TextException.Kind.TEMPLATE_FAILED && hasNullContent(chat)) {
                // many templates take it for granted that every message has a text
                return encodeWithTexts(chat);
            }
            throw refused(e);
        }
    }

    private EncodedPrompt encodeWithTexts(Prompt.Chat chat) {
        try {
            return encode(chat, "");
        } catch (TextException e) {
            throw refused(e);
        }
    }

    private static EngineException refused(TextException e) {
        return new EngineException.InvalidRequest("messages", String.valueOf(e.getMessage()));
    }

    private EncodedPrompt encode(Prompt.Chat chat, @Nullable String forNull) {
        List<Map<String, @Nullable Object>> messages = MessageVariables.of(chat.messages(), forNull);
        String start = chat.answerStart();
        return encoder.encode(
                new ChatRequest(messages, chat.tools(), true, chat.templateArguments()), start == null ? "" : start);
    }

    private static boolean hasNullContent(Prompt.Chat chat) {
        return chat.messages().stream().anyMatch(message -> message.content() == null);
    }
}
