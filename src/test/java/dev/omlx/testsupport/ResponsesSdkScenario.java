package dev.omlx.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseOutputMessage;
import com.openai.models.responses.ResponseStreamEvent;
import com.openai.models.responses.ResponseUsage;
import com.openai.models.responses.inputtokens.InputTokenCountParams;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the OpenAI Java SDK has to get from the responses of any server of ours, whatever engine is behind it. */
public final class ResponsesSdkScenario implements AutoCloseable {
    private static final int MAX_TOKENS = 8;
    private static final String QUESTION = "What is the capital of France?";

    private final OpenAIClient client;
    private final String model;

    /** @param url the server's address, without a path */
    public ResponsesSdkScenario(String url, String model) {
        this.client = OpenAiSdkScenario.connect(url);
        this.model = model;
    }

    /** Asks for a whole response and checks all that the SDK can see of it. */
    public Response answersWhole() {
        Response response = client.responses().create(question().build());

        response.validate();
        assertThat(response.model().asString()).isEqualTo(model);
        assertThat(text(response)).isNotBlank();
        assertUsage(response);
        return response;
    }

    /** Asks for the same response as a stream, which has to add up to the whole one. */
    public void streamsTheSame() {
        Response whole = answersWhole();
        ResponseAccumulator accumulator = ResponseAccumulator.createWithSnapshots();

        List<ResponseStreamEvent> events = stream(question());
        events.forEach(event -> accumulator.accumulate(event.validate()));

        Response last = accumulator.response();
        assertThat(text(last)).isEqualTo(text(whole));
        assertThat(text(accumulator.reconstructedResponse())).isEqualTo(text(whole));
        assertThat(last.status()).isEqualTo(whole.status());
        assertThat(usage(last).outputTokens()).isEqualTo(usage(whole).outputTokens());
        String deltas = events.stream()
                .flatMap(event -> event.outputTextDelta().stream())
                .map(delta -> delta.delta())
                .collect(Collectors.joining());
        assertThat(deltas).isEqualTo(text(whole));
    }

    /** Goes on from a response, and asks for it and its input again. */
    public void goesOnFromAResponse() {
        Response first = answersWhole();

        Response second = client.responses()
                .create(question()
                        .input("Thanks!")
                        .previousResponseId(first.id())
                        .build());

        assertThat(usage(second).inputTokens())
                .isGreaterThanOrEqualTo(usage(first).inputTokens());
        assertThat(second.previousResponseId()).contains(first.id());
        Response again = client.responses().retrieve(first.id());
        assertThat(text(again.validate())).isEqualTo(text(first));
        assertThat(client.responses().inputItems().list(first.id()).items())
                .singleElement()
                .satisfies(item -> assertThat(
                                item.validate().asResponseInputMessageItem().content())
                        .singleElement()
                        .satisfies(part -> assertThat(part.asInputText().text()).isEqualTo(QUESTION)));
        client.responses().delete(first.id());
        assertThatThrownBy(() -> client.responses().retrieve(first.id())).isInstanceOf(NotFoundException.class);
    }

    /** Offers a tool, which has to reach the prompt; goes on after a call that the model is said to have made. */
    public void returnsAResult() {
        Response offered =
                client.responses().create(question().addTool(weather()).build());
        assertThat(usage(offered).inputTokens())
                .isGreaterThanOrEqualTo(usage(answersWhole()).inputTokens());

        Response answer = client.responses()
                .create(question()
                        .addTool(weather())
                        .inputOfResponse(List.of(
                                ResponseInputItem.ofFunctionCall(ResponseFunctionToolCall.builder()
                                        .callId("call12345")
                                        .name("get_weather")
                                        .arguments("{\"city\": \"Paris\"}")
                                        .build()),
                                result("call12345")))
                        .build());
        assertUsage(answer.validate());
    }

    /** Asks a model that calls {@code get_weather} for Oslo, in both modes, and returns the result in both ways. */
    public void callsATool() {
        ResponseCreateParams.Builder offering = question().addTool(weather());
        ResponseAccumulator accumulator = ResponseAccumulator.createWithSnapshots();
        stream(offering).forEach(event -> accumulator.accumulate(event.validate()));

        for (Response response : List.of(
                client.responses().create(offering.build()),
                accumulator.response(),
                accumulator.reconstructedResponse())) {
            ResponseFunctionToolCall call =
                    response.output().getLast().validate().asFunctionCall();
            assertThat(call.name()).isEqualTo("get_weather");
            assertThat(call.arguments()).isEqualTo("{\"city\":\"Oslo\"}");
            client.responses()
                    .create(question()
                            .previousResponseId(response.id())
                            .inputOfResponse(List.of(result(call.callId())))
                            .build());
            client.responses()
                    .create(question()
                            .inputOfResponse(List.of(ResponseInputItem.ofFunctionCall(call), result(call.callId())))
                            .build());
        }
    }

    /** Counts an input, which has to give what its answer counts. */
    public void countsTokens() {
        long counted = client.responses()
                .inputTokens()
                .count(InputTokenCountParams.builder()
                        .model(model)
                        .input(QUESTION)
                        .build())
                .validate()
                .inputTokens();

        assertThat(counted).isEqualTo(usage(answersWhole()).inputTokens());
    }

    /** Makes mistakes, which have to come back as the SDK's own exceptions. */
    public void refusesMistakes() {
        BadRequestException invalid = catchThrowableOfType(
                BadRequestException.class,
                () -> client.responses().create(question().temperature(3.0).build()));
        assertThat(invalid.param()).contains("temperature");
        BadRequestException forgotten = catchThrowableOfType(
                BadRequestException.class, () -> stream(question().previousResponseId("resp_0")));
        assertThat(forgotten.param()).contains("previous_response_id");
    }

    @Override
    public void close() {
        client.close();
    }

    private ResponseCreateParams.Builder question() {
        return ResponseCreateParams.builder()
                .model(model)
                .input(QUESTION)
                .temperature(0.0)
                .maxOutputTokens(MAX_TOKENS);
    }

    private List<ResponseStreamEvent> stream(ResponseCreateParams.Builder question) {
        try (StreamResponse<ResponseStreamEvent> response = client.responses().createStreaming(question.build())) {
            return response.stream().toList();
        }
    }

    private static FunctionTool weather() {
        return FunctionTool.builder()
                .name("get_weather")
                .description("Tells the weather in a city.")
                .strict(false)
                .parameters(FunctionTool.Parameters.builder()
                        .putAdditionalProperty("type", JsonValue.from("object"))
                        .putAdditionalProperty("properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
                        .putAdditionalProperty("required", JsonValue.from(List.of("city")))
                        .build())
                .build();
    }

    private static ResponseInputItem result(String callId) {
        return ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                .callId(callId)
                .output("sunny")
                .build());
    }

    private static String text(Response response) {
        return response.output().stream()
                .filter(ResponseOutputItem::isMessage)
                .flatMap(item -> item.asMessage().content().stream())
                .map(ResponseOutputMessage.Content::asOutputText)
                .map(part -> part.text())
                .collect(Collectors.joining());
    }

    private static ResponseUsage usage(Response response) {
        return response.usage().orElseThrow();
    }

    private static void assertUsage(Response response) {
        ResponseUsage usage = usage(response);
        assertThat(usage.inputTokens()).isPositive();
        assertThat(usage.outputTokens()).isBetween(1L, (long) MAX_TOKENS);
        assertThat(usage.totalTokens()).isEqualTo(usage.inputTokens() + usage.outputTokens());
        assertThat(usage.inputTokensDetails().cachedTokens()).isBetween(0L, usage.inputTokens());
    }
}
