package dev.omlx.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The chat templates of one model, ready to render. Thread-safe. */
public final class ChatTemplate {

    /** The template that some models have for conversations with tools. */
    private static final String TOOL_USE = "tool_use";

    private final Map<String, String> sources;
    private final Map<String, TemplateRenderer> compiled = new TreeMap<>();
    private final Map<String, String> namedTokens;

    /**
     * @param sources Jinja sources by name; the usual one is called {@code default}
     * @param namedTokens variables such as {@code bos_token}
     * @throws TextException if there is no source or one cannot be compiled
     */
    ChatTemplate(String model, Map<String, String> sources, Map<String, String> namedTokens) {
        if (sources.isEmpty()) {
            throw new TextException(
                    TextException.Kind.TEMPLATE_MISSING,
                    model + ": has no chat template, so it cannot chat, only complete text; put a chat_template.jinja"
                            + " beside the model to give it one");
        }
        this.sources = Map.copyOf(sources);
        this.namedTokens = Map.copyOf(namedTokens);
        sources.forEach((name, source) -> compiled.put(name, new TemplateRenderer(model, name, source)));
    }

    /**
     * Renders a conversation. Arguments of earlier tool calls that are strings of JSON reach the template as objects.
     *
     * @throws TextException if the template refuses the conversation or fails
     */
    public String render(ChatRequest request) {
        return render(request, value -> value);
    }

    /** The Jinja source used for conversations with or without tools. */
    public String source(boolean withTools) {
        return sources.getOrDefault(nameFor(withTools), "");
    }

    /** @param guard applied to everything in the request before it is rendered */
    String render(ChatRequest request, UnaryOperator<@Nullable Object> guard) {
        Map<String, @Nullable Object> variables = new LinkedHashMap<>(namedTokens);
        request.variables().forEach((name, value) -> variables.put(name, guard.apply(value)));
        variables.put("messages", guard.apply(ToolArguments.parsed(request.messages())));
        // templates tell "no tools" by none, not by an empty list
        variables.put("tools", request.tools().isEmpty() ? null : guard.apply(request.tools()));
        variables.putIfAbsent("documents", null);
        variables.put("add_generation_prompt", request.addGenerationPrompt());
        TemplateRenderer template = compiled.get(nameFor(!request.tools().isEmpty()));
        if (template == null) {
            throw new IllegalStateException("no compiled template");
        }
        return template.render(variables);
    }

    private String nameFor(boolean withTools) {
        if (withTools && compiled.containsKey(TOOL_USE)) {
            return TOOL_USE;
        }
        return compiled.containsKey(TemplateSources.DEFAULT)
                ? TemplateSources.DEFAULT
                : compiled.keySet().iterator().next();
    }
}
