package dev.omlx.api.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.BadRequestException;
import com.anthropic.errors.NotFoundException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.StopReason;
import dev.omlx.engine.api.EngineException;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.ScriptedEngine;
import dev.omlx.testsupport.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Anthropic's Java SDK makes of the server. */
class AnthropicSdkTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    private AnthropicClient client;

    @BeforeEach
    void connect() {
        client = AnthropicOkHttpClient.builder()
                .baseUrl(server.url())
                .apiKey("none")
                .maxRetries(0)
                .responseValidation(true)
                .build();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static MessageCreateParams question(String model) {
        return MessageCreateParams.builder()
                .model(model)
                .maxTokens(8)
                .system("Be terse.")
                .addUserMessage("Hi")
                .build();
    }

    private static String text(Message message) {
        return message.content().getFirst().asText().text();
    }

    @Test
    void answersWhole() {
        Message message = client.messages().create(question(ScriptedEngine.MODEL.id()));

        assertThat(text(message)).isEqualTo("Hello world");
        assertThat(message.stopReason()).contains(StopReason.END_TURN);
        assertThat(message.usage().inputTokens()).isEqualTo(Script.PROMPT_TOKENS - Script.CACHED_TOKENS);
        assertThat(message.usage().cacheReadInputTokens()).contains((long) Script.CACHED_TOKENS);
        assertThat(message.usage().outputTokens()).isEqualTo(2);
    }

    @Test
    void streamsTheSame() {
        MessageAccumulator accumulator = MessageAccumulator.create();
        try (StreamResponse<RawMessageStreamEvent> events =
                client.messages().createStreaming(question(ScriptedEngine.MODEL.id()))) {
            events.stream().forEach(accumulator::accumulate);
        }

        assertThat(text(accumulator.message())).isEqualTo("Hello world");
        assertThat(accumulator.message().stopReason()).contains(StopReason.END_TURN);
        assertThat(accumulator.message().usage().outputTokens()).isEqualTo(2);
    }

    @Test
    void countsTokens() {
        assertThat(client.messages()
                        .countTokens(MessageCountTokensParams.builder()
                                .model(ScriptedEngine.MODEL.id())
                                .addUserMessage("Hi")
                                .build())
                        .inputTokens())
                .isEqualTo(Script.PROMPT_TOKENS);
    }

    @Test
    void listsModels() {
        assertThat(client.models().list().data())
                .extracting(model -> model.id())
                .containsExactly(ScriptedEngine.MODEL.id(), ScriptedEngine.OTHER_MODEL.id());
        assertThat(client.models().retrieve("test/model").createdAt().toInstant())
                .isEqualTo(ScriptedEngine.MODEL.created());
    }

    @Test
    void tellsMistakesApart() {
        assertThatThrownBy(() -> client.messages().create(question("none"))).isInstanceOf(NotFoundException.class);
        server.engine().play(Script.empty().fail(new EngineException.ContextLengthExceeded("messages", 9000, 8192)));
        assertThatThrownBy(() -> client.messages().create(question("alias")))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("prompt is too long: 9000 tokens > 8192 maximum");
    }
}
