package dev.omlx.api.openai;

import dev.omlx.testsupport.OpenAiSdkScenario;
import dev.omlx.testsupport.ScriptedEngine;
import dev.omlx.testsupport.TestServer;
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
    void refusesMistakes() {
        sdk.refusesMistakes();
    }

    @Test
    void listsModels() {
        sdk.listsModels();
    }
}
