import com.anthropic.errors.AnthropicServiceException;
import com.openai.errors.OpenAIServiceException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Spring AI's starters for OpenAI and Anthropic, each as an application configures it. */
@EnableAutoConfiguration
class SpringAi {
    static class Clock {
        @Tool(name = "get_time", description = "Tells the time.")
        public String time() {
            return "noon";
        }
    }

    public static void main(String[] args) {
        String url = System.getenv("OMLX_URL");
        SpringApplication application = new SpringApplication(SpringAi.class);
        application.setDefaultProperties(Map.of(
                "spring.ai.openai.base-url", url + "/v1", "spring.ai.openai.api-key", "none",
                "spring.ai.anthropic.base-url", url, "spring.ai.anthropic.api-key", "none",
                "spring.main.web-application-type", "none"));
        try (var context = application.run()) {
            check(context.getBean(OpenAiChatModel.class), OpenAIServiceException.class,
                    name -> OpenAiChatOptions.builder().model(name).maxTokens(16).temperature(0.0).build());
            check(context.getBean(AnthropicChatModel.class), AnthropicServiceException.class,
                    name -> AnthropicChatOptions.builder().model(name).maxTokens(16).temperature(0.0).build());
        }
        System.exit(0); // OkHttp's threads would stay for a minute
    }

    static void check(ChatModel model, Class<? extends Exception> refusal, Function<String, ChatOptions> options) {
        Prompt asked = new Prompt("Name a colour.", options.apply("smollm2"));
        String whole = model.call(asked).getResult().getOutput().getText();
        String streamed = model.stream(asked).toStream()
                .flatMap(part -> part.getResults().stream())
                .map(part -> Objects.requireNonNullElse(part.getOutput().getText(), ""))
                .collect(Collectors.joining());
        expect(whole != null && !whole.isEmpty() && whole.equals(streamed), whole + " | " + streamed);
        expect(ChatClient.create(model).prompt(asked).tools(new Clock()).call().chatResponse() != null, "no answer");
        try {
            model.call(new Prompt("Name a colour.", options.apply("nobody")));
        } catch (Exception failure) {
            expect(refusal.isInstance(failure) && failure.getMessage().contains("nobody"), failure);
            return;
        }
        throw new AssertionError("an unknown model was answered");
    }

    static void expect(boolean holds, Object seen) {
        if (!holds) {
            throw new AssertionError(seen);
        }
    }
}
