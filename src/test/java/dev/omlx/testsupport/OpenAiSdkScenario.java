package dev.omlx.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionAssistantMessageParam;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolChoiceOption;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.completions.CompletionUsage;
import com.openai.models.models.Model;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the OpenAI Java SDK has to get from any server of ours, whatever engine is behind it. */
public final class OpenAiSdkScenario implements AutoCloseable {
    private static final int MAX_TOKENS = 8;

    private final OpenAIClient client;
    private final String model;

    /** @param url the server's address, without a path */
    public OpenAiSdkScenario(String url, String model) {
        this.client = connect(url);
        this.model = model;
    }

    /** A client that repeats no request and checks all that it gets. */
    static OpenAIClient connect(String url) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(url + "/v1")
                .apiKey("none")
                .maxRetries(0)
                .timeout(Duration.ofMinutes(2))
                .responseValidation(true)
                .build();
    }

    /** Asks for a whole answer and checks all that the SDK can see of it. */
    public ChatCompletion answersWhole() {
        ChatCompletion answer = client.chat().completions().create(question().build());

        assertThat(answer.model()).isEqualTo(model);
        assertThat(answer.choices()).hasSize(1);
        assertThat(text(answer)).isNotBlank();
        assertThat(answer.choices().getFirst().finishReason().asString()).isIn("stop", "length");
        assertUsage(answer.usage().orElseThrow());
        return answer;
    }

    /** Asks for the same answer as a stream, which has to add up to the whole one. */
    public void streamsTheSame() {
        ChatCompletion whole = answersWhole();
        ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();

        List<ChatCompletionChunk> chunks = stream(question()
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build()));
        chunks.forEach(accumulator::accumulate);

        ChatCompletion streamed = accumulator.chatCompletion();
        assertThat(text(streamed)).isEqualTo(text(whole));
        assertThat(streamed.choices().getFirst().finishReason())
                .isEqualTo(whole.choices().getFirst().finishReason());
        assertThat(chunks.stream().map(ChatCompletionChunk::id).distinct()).hasSize(1);
        assertThat(chunks.stream().filter(chunk -> chunk.usage().isPresent())).hasSize(1);
        CompletionUsage usage = chunks.getLast().usage().orElseThrow();
        assertUsage(usage);
        assertThat(usage.completionTokens())
                .isEqualTo(whole.usage().orElseThrow().completionTokens());
    }

    /** Asks for several answers at once, in both modes. */
    public void answersSeveralTimes() {
        ChatCompletion whole =
                client.chat().completions().create(question().n(3).build());
        List<ChatCompletionChunk> chunks = stream(question().n(3));

        assertThat(whole.choices()).extracting(ChatCompletion.Choice::index).containsExactly(0L, 1L, 2L);
        for (ChatCompletion.Choice choice : whole.choices()) {
            String streamed = chunks.stream()
                    .flatMap(chunk -> chunk.choices().stream())
                    .filter(delta -> delta.index() == choice.index())
                    .flatMap(delta -> delta.delta().content().stream())
                    .collect(Collectors.joining());
            assertThat(streamed).isEqualTo(choice.message().content().orElseThrow());
        }
    }

    /** Asks for log-probabilities, whose bytes have to add up to the text. */
    public void reportsLogprobs() {
        ChatCompletion answer = client.chat()
                .completions()
                .create(question().logprobs(true).topLogprobs(2).build());

        var tokens =
                answer.choices().getFirst().logprobs().orElseThrow().content().orElseThrow();
        byte[] bytes = new byte
                [tokens.stream()
                        .mapToInt(token -> token.bytes().orElseThrow().size())
                        .sum()];
        int length = 0;
        for (var token : tokens) {
            assertThat(token.logprob()).isLessThanOrEqualTo(0);
            assertThat(token.topLogprobs()).hasSize(2);
            for (long value : token.bytes().orElseThrow()) {
                bytes[length++] = (byte) value;
            }
        }
        assertThat(new String(bytes, StandardCharsets.UTF_8)).startsWith(text(answer));
    }

    /** Offers a tool, which has to reach the prompt unless it may not be called. */
    public void offersATool() {
        long without =
                promptTokens(client.chat().completions().create(question().build()));
        ChatCompletionCreateParams.Builder offering = question().addTool(weather());

        ChatCompletion whole = client.chat().completions().create(offering.build());
        ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
        stream(offering).forEach(accumulator::accumulate);

        assertThat(promptTokens(whole)).isGreaterThan(without + 20);
        ChatCompletion.Choice choice = whole.choices().getFirst();
        ChatCompletion.Choice streamed = accumulator.chatCompletion().choices().getFirst();
        assertThat(choice.finishReason().asString()).isIn("stop", "length", "tool_calls");
        assertThat(streamed.finishReason()).isEqualTo(choice.finishReason());
        assertThat(streamed.message().content()).isEqualTo(choice.message().content());
        assertThat(calls(streamed)).isEqualTo(calls(choice));
        ChatCompletion forbidden = client.chat()
                .completions()
                .create(offering.toolChoice(ChatCompletionToolChoiceOption.Auto.NONE)
                        .build());
        assertThat(promptTokens(forbidden)).isEqualTo(without);
    }

    /** Goes on after a call that the model has made, or is said to have made. */
    public void returnsAResult() {
        ChatCompletion answer = client.chat()
                .completions()
                .create(question()
                        .addTool(weather())
                        .addMessage(ChatCompletionAssistantMessageParam.builder()
                                .addToolCall(ChatCompletionMessageFunctionToolCall.builder()
                                        .id("call12345")
                                        .function(ChatCompletionMessageFunctionToolCall.Function.builder()
                                                .name("get_weather")
                                                .arguments("{\"city\": \"Paris\"}")
                                                .build())
                                        .build())
                                .build())
                        .addMessage(ChatCompletionToolMessageParam.builder()
                                .toolCallId("call12345")
                                .content("sunny")
                                .build())
                        .build());

        assertThat(answer.choices()).hasSize(1);
        assertUsage(answer.usage().orElseThrow());
    }

    /** Asks a model that calls {@code get_weather} for Oslo, in both modes, and returns the result. */
    public void callsATool() {
        ChatCompletionCreateParams.Builder offering = question().addTool(weather());

        ChatCompletion whole = client.chat().completions().create(offering.build());
        ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
        stream(offering).forEach(accumulator::accumulate);
        ChatCompletion streamed = accumulator.chatCompletion();

        for (ChatCompletion answer : List.of(whole, streamed)) {
            ChatCompletion.Choice choice = answer.choices().getFirst();
            assertThat(choice.finishReason().asString()).isEqualTo("tool_calls");
            assertThat(calls(choice)).containsExactly("get_weather{\"city\":\"Oslo\"}");
            client.chat()
                    .completions()
                    .create(question()
                            .addMessage(choice.message())
                            .addMessage(ChatCompletionToolMessageParam.builder()
                                    .toolCallId(choice.message()
                                            .toolCalls()
                                            .orElseThrow()
                                            .getFirst()
                                            .asFunction()
                                            .id())
                                    .content("sunny")
                                    .build())
                            .build());
        }
    }

    private static List<String> calls(ChatCompletion.Choice choice) {
        return choice.message().toolCalls().orElse(List.of()).stream()
                .map(call -> call.asFunction().function())
                .map(function -> function.name() + function.arguments())
                .toList();
    }

    private static ChatCompletionFunctionTool weather() {
        FunctionParameters parameters = FunctionParameters.builder()
                .putAdditionalProperty("type", JsonValue.from("object"))
                .putAdditionalProperty("properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
                .putAdditionalProperty("required", JsonValue.from(List.of("city")))
                .build();
        return ChatCompletionFunctionTool.builder()
                .function(FunctionDefinition.builder()
                        .name("get_weather")
                        .description("Tells the weather in a city.")
                        .parameters(parameters)
                        .build())
                .build();
    }

    private static long promptTokens(ChatCompletion answer) {
        return answer.usage().orElseThrow().promptTokens();
    }

    /** Makes mistakes, which have to come back as the SDK's own exceptions. */
    public void refusesMistakes() {
        BadRequestException invalid = catchThrowableOfType(
                BadRequestException.class,
                () -> client.chat()
                        .completions()
                        .create(question().temperature(3.0).build()));
        assertThat(invalid.param()).contains("temperature");
        assertThat(invalid.type()).contains("invalid_request_error");

        NotFoundException missing = catchThrowableOfType(
                NotFoundException.class, () -> stream(question().model("no-such-model")));
        assertThat(missing.code()).contains("model_not_found");
    }

    /** Looks for the model. */
    public void listsModels() {
        assertThat(client.models().list().data()).extracting(Model::id).contains(model);
        assertThat(client.models().retrieve(model).id()).isEqualTo(model);
    }

    @Override
    public void close() {
        client.close();
    }

    private ChatCompletionCreateParams.Builder question() {
        return ChatCompletionCreateParams.builder()
                .model(model)
                .addSystemMessage("You are a helpful assistant.")
                .addUserMessage("What is the capital of France?")
                .temperature(0.0)
                .maxCompletionTokens(MAX_TOKENS);
    }

    private List<ChatCompletionChunk> stream(ChatCompletionCreateParams.Builder question) {
        try (StreamResponse<ChatCompletionChunk> response =
                client.chat().completions().createStreaming(question.build())) {
            return response.stream().toList();
        }
    }

    private static String text(ChatCompletion answer) {
        return answer.choices().getFirst().message().content().orElseThrow();
    }

    private static void assertUsage(CompletionUsage usage) {
        assertThat(usage.promptTokens()).isPositive();
        assertThat(usage.completionTokens()).isBetween(1L, (long) MAX_TOKENS);
        assertThat(usage.totalTokens()).isEqualTo(usage.promptTokens() + usage.completionTokens());
        assertThat(usage.promptTokensDetails().orElseThrow().cachedTokens().orElseThrow())
                .isBetween(0L, usage.promptTokens());
    }
}
