import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.errors.NotFoundException;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.Tool;
import java.util.stream.Collectors;

/** Anthropic's Java SDK. OpenAI's is driven by the project's own tests, against the same server and model. */
class AnthropicJava {
    public static void main(String[] args) {
        AnthropicClient client = AnthropicOkHttpClient.builder()
                .baseUrl(System.getenv("OMLX_URL"))
                .apiKey("none")
                .maxRetries(0)
                .responseValidation(true)
                .build();
        try {
            check(client);
        } finally {
            client.close();
        }
    }

    static void check(AnthropicClient client) {
        var whole = client.messages().create(asked("smollm2").build());
        String text = whole.content().getFirst().asText().text();
        try (var stream = client.messages().createStreaming(asked("smollm2").build())) {
            String streamed = stream.stream()
                    .flatMap(event -> event.contentBlockDelta().stream())
                    .flatMap(block -> block.delta().text().stream())
                    .map(delta -> delta.text())
                    .collect(Collectors.joining());
            expect(!text.isEmpty() && text.equals(streamed), text + " | " + streamed);
        }
        Tool tool = Tool.builder().name("get_time").inputSchema(Tool.InputSchema.builder().build()).build();
        expect(client.messages().create(asked("smollm2").addTool(tool).build()).stopReason().isPresent(), tool);
        try {
            client.messages().create(asked("nobody").build());
        } catch (NotFoundException refusal) {
            return;
        }
        throw new AssertionError("an unknown model was answered");
    }

    static MessageCreateParams.Builder asked(String model) {
        return MessageCreateParams.builder()
                .model(model)
                .maxTokens(16)
                .putAdditionalBodyProperty("temperature", JsonValue.from(0))
                .addUserMessage("Name a colour.");
    }

    static void expect(boolean holds, Object seen) {
        if (!holds) {
            throw new AssertionError(seen);
        }
    }
}
