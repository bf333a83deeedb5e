package dev.omlx.text;

/**
 * Turns conversations into tokens: renders the chat template and encodes the result, where control tokens come from the
 * template alone. Text of messages, tools and variables that looks like a control token is spelled out with ordinary
 * tokens. Without such text the tokens are those of {@link Tokenizer#encodeWithSpecials} of the rendered template.
 * Thread-safe.
 */
public final class PromptEncoder {

    private final Tokenizer tokenizer;
    private final ChatTemplate template;
    private final PromptGuard guard;

    public PromptEncoder(Tokenizer tokenizer, ChatTemplate template) {
        this.tokenizer = tokenizer;
        this.template = template;
        this.guard = new PromptGuard(tokenizer.addedTokens());
    }

    /**
     * Renders and encodes a conversation.
     *
     * @throws TextException if the template refuses the conversation or fails
     */
    public EncodedPrompt encode(ChatRequest request) {
        return encode(request, "");
    }

    /**
     * As {@link #encode(ChatRequest)}, followed by the beginning of the answer.
     *
     * @param answerStart a client's text
     */
    public EncodedPrompt encode(ChatRequest request, String answerStart) {
        PromptGuard.Unmarked prompt = guard.unmark(template.render(request, guard::mark) + guard.mark(answerStart));
        return new EncodedPrompt(prompt.text(), guard.encode(tokenizer, prompt));
    }
}
