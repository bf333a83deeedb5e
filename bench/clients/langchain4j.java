import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** LangChain4j over OpenAI's and Anthropic's faces. */
class LangChain4j {
    private static final String URL = System.getenv("OMLX_URL") + "/v1";

    public static void main(String[] args) {
        check(openAi("smollm2"), openAi("nobody"),
                OpenAiStreamingChatModel.builder().baseUrl(URL).apiKey("none").modelName("smollm2").build());
        check(anthropic("smollm2"), anthropic("nobody"),
                AnthropicStreamingChatModel.builder().baseUrl(URL).apiKey("none").modelName("smollm2").build());
    }

    static ChatModel openAi(String model) {
        return OpenAiChatModel.builder().baseUrl(URL).apiKey("none").modelName(model).maxRetries(0).build();
    }

    static ChatModel anthropic(String model) {
        return AnthropicChatModel.builder().baseUrl(URL).apiKey("none").modelName(model).maxRetries(0).build();
    }

    static void check(ChatModel model, ChatModel unknown, StreamingChatModel streaming) {
        ChatResponse whole = model.chat(asked().build());
        expect(!whole.aiMessage().text().isEmpty() && whole.tokenUsage().outputTokenCount() > 0, whole);
        Collector streamed = new Collector();
        streaming.chat(asked().build(), streamed);
        ChatResponse last = streamed.end.join();
        expect(streamed.text.toString().equals(whole.aiMessage().text()), streamed.text + " | " + whole);
        expect(last.tokenUsage().outputTokenCount().equals(whole.tokenUsage().outputTokenCount()), last);

        ToolSpecification tool = ToolSpecification.builder().name("get_time").description("Tells the time.").build();
        expect(model.chat(asked().toolSpecifications(tool).build()).finishReason() != null, "no answer with a tool");
        try {
            unknown.chat(asked().build());
        } catch (ModelNotFoundException refusal) {
            return;
        }
        throw new AssertionError("an unknown model was answered");
    }

    static ChatRequest.Builder asked() {
        return ChatRequest.builder()
                .messages(List.of(UserMessage.from("Name a colour.")))
                .maxOutputTokens(16)
                .temperature(0.0);
    }

    static void expect(boolean holds, Object seen) {
        if (!holds) {
            throw new AssertionError(seen);
        }
    }

    static class Collector implements StreamingChatResponseHandler {
        final StringBuilder text = new StringBuilder();
        final CompletableFuture<ChatResponse> end = new CompletableFuture<>();

        @Override
        public void onPartialResponse(String part) {
            text.append(part);
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            end.complete(response);
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }
    }
}
