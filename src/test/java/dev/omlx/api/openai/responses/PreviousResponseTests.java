package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Responses that later requests go on from. */
class PreviousResponseTests {
    private static final String WEATHER = "'tools': [{'type': 'function', 'name': 'f'}]";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goesOnAsIfTheWholeConversationHadBeenSent(boolean stream) {
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new ReasoningDelta(0, "Hm."))
                        .say("I look.")
                        .emit(new ToolCall(0, "call_1", "f", "{\"a\": 1}"))
                        .emit(new ChoiceFinished(0, FinishReason.TOOL_CALLS, null))
                        .complete(3));
        String question = "{'role': 'user', 'content': 'What is it?'}";
        JsonNode first = StoredCalls.respond(server, ResponseTestBody.ofItems(question, WEATHER), stream);
        String result = "{'type': 'function_call_output', 'call_id': 'call_1', 'output': '42'}";
        JsonNode second = StoredCalls.respond(
                server, ResponseTestBody.ofItems(result, WEATHER + StoredCalls.previous(first)), stream);
        String thanks = "{'role': 'user', 'content': 'Thanks'}";
        StoredCalls.respond(server, ResponseTestBody.ofItems(thanks, WEATHER + StoredCalls.previous(second)), stream);
        Prompt goneOn = server.engine().lastRequest().prompt();

        StoredCalls.respond(
                server,
                ResponseTestBody.ofItems(
                        question + "," + StoredCalls.items(first) + "," + result + "," + StoredCalls.items(second) + ","
                                + thanks,
                        WEATHER),
                stream);

        assertThat(server.engine().lastRequest().prompt()).isEqualTo(goneOn);
        assertThat(((Prompt.Chat) goneOn).messages())
                .extracting(ChatMessage::role)
                .containsExactly("user", "assistant", "tool", "assistant", "user");
        assertThat(second.get("previous_response_id")).isEqualTo(first.get("id"));
    }

    @Test
    void takesInstructionsFromTheNewRequestAlone() {
        JsonNode first = StoredCalls.respond(server, ResponseTestBody.with("'instructions': 'old'"), false);
        StoredCalls.respond(
                server, ResponseTestBody.with("'instructions': 'new'" + StoredCalls.previous(first)), false);

        assertThat(StoredCalls.messages(server))
                .containsExactly(
                        ChatMessage.of("system", "new"),
                        ChatMessage.user("Hi"),
                        ChatMessage.assistant("Hello world"),
                        ChatMessage.user("Hi"));
    }

    @Test
    void branches() {
        JsonNode root = StoredCalls.respond(server, ResponseTestBody.json("{'input': 'root'}"), false);
        JsonNode left = StoredCalls.respond(
                server, ResponseTestBody.json("{'input': 'left'" + StoredCalls.previous(root) + "}"), false);
        StoredCalls.respond(
                server, ResponseTestBody.json("{'input': 'right'" + StoredCalls.previous(root) + "}"), false);
        assertThat(StoredCalls.messages(server))
                .extracting(ChatMessage::content)
                .containsExactly("root", "Hello world", "right");

        StoredCalls.respond(
                server, ResponseTestBody.json("{'input': 'leaf'" + StoredCalls.previous(left) + "}"), false);
        assertThat(StoredCalls.messages(server))
                .extracting(ChatMessage::content)
                .containsExactly("root", "Hello world", "left", "Hello world", "leaf");
    }

    @Test
    void findsItemsByTheirIds() {
        JsonNode first = StoredCalls.respond(
                server, ResponseTestBody.ofItems("{'id': 'mine', 'role': 'user', 'content': 'u'}", ""), false);
        String said = first.at("/output/0/id").stringValue();

        StoredCalls.respond(
                server,
                ResponseTestBody.ofItems(
                        "{'type': 'item_reference', 'id': 'mine'}, {'id': '" + said
                                + "'}, {'role': 'user', 'content': 'v'}",
                        ""),
                false);

        assertThat(StoredCalls.messages(server))
                .containsExactly(ChatMessage.user("u"), ChatMessage.assistant("Hello world"), ChatMessage.user("v"));
    }
}
