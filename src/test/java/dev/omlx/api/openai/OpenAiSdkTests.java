package dev.omlx.api.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.ScriptedModel;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.Prompt;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.testsupport.OpenAiSdkScenario;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.ScriptedEngine;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The OpenAI Java SDK against the server, its engine scripted. */
class OpenAiSdkTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    private OpenAiSdkScenario sdk;

    @BeforeEach
    void connect() {
        sdk = new OpenAiSdkScenario(server.url(), ScriptedEngine.MODEL.id());
    }

    @AfterEach
    void disconnect() {
        sdk.close();
    }

    @Test
    void answersWhole() {
        sdk.answersWhole();
    }

    @Test
    void streamsTheSame() {
        sdk.streamsTheSame();
    }

    @Test
    void answersSeveralTimes() {
        sdk.answersSeveralTimes();
    }

    @Test
    void reportsLogprobs() {
        sdk.reportsLogprobs();
    }

    @Test
    void callsATool() {
        List<String> tokens =
                List.of("<tool_call>", "{\"name\": \"get_weather\", ", "\"arguments\": {\"city\": \"Oslo\"}}");
        OutputFormat format = new OutputFormat(ReasoningFormat.NONE, ToolFormat.HERMES);
        try (ScriptedModel model = new ScriptedModel(format, "", tokens, Set.of())) {
            server.engine().play(Script.of(model::generate));
            sdk.callsATool();
        }
        ChatMessage call = ((Prompt.Chat) server.engine().lastRequest().prompt())
                .messages()
                .get(2);
        assertThat(call.toolCalls()).extracting(ToolCall::arguments).containsExactly("{\"city\":\"Oslo\"}");
    }

    @Test
    void refusesMistakes() {
        sdk.refusesMistakes();
    }

    @Test
    void listsModels() {
        sdk.listsModels();
    }
}
