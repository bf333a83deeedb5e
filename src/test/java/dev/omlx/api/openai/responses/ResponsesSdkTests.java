package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.ScriptedModel;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.Prompt;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.testsupport.ResponsesSdkScenario;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.ScriptedEngine;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The responses of the OpenAI Java SDK against the server, its engine scripted. */
class ResponsesSdkTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    private ResponsesSdkScenario sdk;

    @BeforeEach
    void connect() {
        sdk = new ResponsesSdkScenario(server.url(), ScriptedEngine.MODEL.id());
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
    void goesOnFromAResponse() {
        sdk.goesOnFromAResponse();
    }

    @Test
    void callsATool() {
        List<String> tokens = List.of(
                "<think>",
                "Oslo",
                "?",
                "</think>",
                "<tool_call>",
                "{\"name\": \"get_weather\", ",
                "\"arguments\": {\"city\": \"Oslo\"}}");
        OutputFormat format = new OutputFormat(ReasoningFormat.THINK, ToolFormat.HERMES);
        try (ScriptedModel model = new ScriptedModel(format, "", tokens, Set.of())) {
            server.engine().play(Script.of(model::generate));
            sdk.callsATool();
        }
        assertThat(((Prompt.Chat) server.engine().lastRequest().prompt()).messages())
                .extracting(ChatMessage::role)
                .containsExactly("assistant", "tool");
    }

    @Test
    void returnsAResult() {
        sdk.returnsAResult();
    }

    @Test
    void countsTokens() {
        sdk.countsTokens();
    }

    @Test
    void refusesMistakes() {
        sdk.refusesMistakes();
    }
}
