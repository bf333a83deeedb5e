package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;

/** Responses that later requests go on from, or ask for. */
class StoredResponsesTests {
    private static final String WEATHER = "'tools': [{'type': 'function', 'name': 'f'}]";

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @RegisterExtension
    static final TestServer keyed = TestServer.with("omlx.auth.api-keys=one,other");

    @RegisterExtension
    static final TestServer small = TestServer.with("omlx.responses.max-stored=2");

    @RegisterExtension
    static final TestServer forgetful = TestServer.with("omlx.responses.max-stored-size=0B");

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
        JsonNode first = respond(ResponseTestBody.ofItems(question, WEATHER), stream);
        String result = "{'type': 'function_call_output', 'call_id': 'call_1', 'output': '42'}";
        JsonNode second = respond(ResponseTestBody.ofItems(result, WEATHER + previous(first)), stream);
        String thanks = "{'role': 'user', 'content': 'Thanks'}";
        respond(ResponseTestBody.ofItems(thanks, WEATHER + previous(second)), stream);
        Prompt goneOn = server.engine().lastRequest().prompt();

        respond(
                ResponseTestBody.ofItems(
                        question + "," + items(first) + "," + result + "," + items(second) + "," + thanks, WEATHER),
                stream);

        assertThat(server.engine().lastRequest().prompt()).isEqualTo(goneOn);
        assertThat(((Prompt.Chat) goneOn).messages())
                .extracting(ChatMessage::role)
                .containsExactly("user", "assistant", "tool", "assistant", "user");
        assertThat(second.get("previous_response_id")).isEqualTo(first.get("id"));
    }

    @Test
    void takesInstructionsFromTheNewRequestAlone() {
        JsonNode first = respond(ResponseTestBody.with("'instructions': 'old'"), false);
        respond(ResponseTestBody.with("'instructions': 'new'" + previous(first)), false);

        assertThat(messages())
                .containsExactly(
                        ChatMessage.of("system", "new"),
                        ChatMessage.user("Hi"),
                        ChatMessage.assistant("Hello world"),
                        ChatMessage.user("Hi"));
    }

    @Test
    void branches() {
        JsonNode root = respond(ResponseTestBody.json("{'input': 'root'}"), false);
        JsonNode left = respond(ResponseTestBody.json("{'input': 'left'" + previous(root) + "}"), false);
        respond(ResponseTestBody.json("{'input': 'right'" + previous(root) + "}"), false);
        assertThat(messages()).extracting(ChatMessage::content).containsExactly("root", "Hello world", "right");

        respond(ResponseTestBody.json("{'input': 'leaf'" + previous(left) + "}"), false);
        assertThat(messages())
                .extracting(ChatMessage::content)
                .containsExactly("root", "Hello world", "left", "Hello world", "leaf");
    }

    @Test
    void findsItemsByTheirIds() {
        JsonNode first = respond(ResponseTestBody.ofItems("{'id': 'mine', 'role': 'user', 'content': 'u'}", ""), false);
        String said = first.at("/output/0/id").stringValue();

        respond(
                ResponseTestBody.ofItems(
                        "{'type': 'item_reference', 'id': 'mine'}, {'id': '" + said
                                + "'}, {'role': 'user', 'content': 'v'}",
                        ""),
                false);

        assertThat(messages())
                .containsExactly(ChatMessage.user("u"), ChatMessage.assistant("Hello world"), ChatMessage.user("v"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givesAResponseAgain(boolean stream) {
        JsonNode response = respond(ResponseTestBody.with("'max_output_tokens': 1, 'metadata': {'a': 'b'}"), stream);

        EntityExchangeResult<String> again = get(server, path(response));

        assertThat(again.getResponseHeaders().getContentType()).hasToString("application/json");
        assertThat(again.getResponseBody()).isEqualTo(response.toString());
    }

    @Test
    void deletesAResponseButNotWhatWentOnFromIt() {
        JsonNode first = respond(ResponseTestBody.with(""), false);
        JsonNode second = respond(ResponseTestBody.with("'user': 'u'" + previous(first)), false);

        EntityExchangeResult<String> deleted = exchange(server, HttpMethod.DELETE, path(first), "");

        assertThat(deleted.getResponseBody())
                .isEqualTo("{\"id\":%s,\"object\":\"response\",\"deleted\":true}".formatted(first.get("id")));
        assertNotFound(get(server, path(first)));
        assertNotFound(exchange(server, HttpMethod.DELETE, path(first), ""));
        respond(ResponseTestBody.with("'user': 'u'" + previous(second)), false);
        assertThat(messages()).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'c,b,a', false",
        "?order=asc, 'a,b,c', false",
        "?limit=2, 'c,b', true",
        "?after=b, a, false",
        "?after=a&order=asc&limit=1, b, true",
        "?after=a, '', false"
    })
    void listsTheItemsOfAnInput(String query, String ids, boolean more) {
        JsonNode response = respond(ResponseTestBody.ofItems("""
                {'id': 'a', 'role': 'user', 'content': 'u'}, {'id': 'b', 'type': 'message', 'role': 'assistant',
                 'content': [{'type': 'output_text', 'text': 't', 'annotations': []}]},
                {'id': 'c', 'role': 'user', 'content': [{'type': 'input_text', 'text': 'v'}]}""", ""), false);

        JsonNode page = ResponseTestBody.tree(Objects.requireNonNull(
                get(server, path(response) + "/input_items" + query).getResponseBody()));

        assertThat(page.get("object").stringValue()).isEqualTo("list");
        String listed = page.get("data")
                .valueStream()
                .map(item -> item.get("id").stringValue())
                .collect(Collectors.joining(","));
        assertThat(listed).isEqualTo(ids);
        assertThat(page.get("has_more").booleanValue()).isEqualTo(more);
        if (!ids.isEmpty()) {
            assertThat(page.get("first_id").stringValue()).isEqualTo(ids.substring(0, 1));
            assertThat(page.get("last_id").stringValue()).isEqualTo(ids.substring(ids.length() - 1));
        }
    }

    @Test
    void listsTextsAsParts() {
        JsonNode response = respond(ResponseTestBody.with(""), false);

        assertThat(get(server, path(response) + "/input_items").getResponseBody())
                .matches(ResponseTestBody.json(
                        "\\{'object':'list','data':\\[\\{'type':'message','role':'user','content':"
                                + "\\[\\{'type':'input_text','text':'Hi'}],'id':'msg_[0-9a-f]{32}'}],.*"));
    }

    @ParameterizedTest
    @CsvSource({
        "/input_items?limit=0, limit",
        "/input_items?limit=101, limit",
        "/input_items?order=up, order",
        "/input_items?after=nobody, after",
        "?stream=true, stream"
    })
    void namesWhatIsWrongInAQuery(String query, String parameter) {
        JsonNode response = respond(ResponseTestBody.with(""), false);

        EntityExchangeResult<String> refused = get(server, path(response) + query);

        assertThat(refused.getStatus().value()).isEqualTo(400);
        assertThat(refused.getResponseBody()).contains("\"param\":\"" + parameter + "\"");
    }

    @Test
    void keepsNothingThatTheClientWantsForgotten() {
        JsonNode response = respond(ResponseTestBody.with("'store': false"), false);

        assertNotFound(get(server, path(response)));
        assertNotFound(get(server, path(response) + "/input_items"));
        assertRefused(ResponseTestBody.with("'user': 'u'" + previous(response)), "previous_response_id");
    }

    @Test
    void keepsNothingThatFailed() {
        server.engine().play(Script.empty().start().say("a").fail(new EngineException.Failed("broken", null)));

        JsonNode failed = respond(ResponseTestBody.with(""), true);

        assertThat(failed.get("status").stringValue()).isEqualTo("failed");
        assertNotFound(get(server, path(failed)));
    }

    @Test
    void showsNoKeyTheResponsesOfAnother() {
        JsonNode response = ResponseTestBody.tree(Objects.requireNonNull(
                exchange(keyed, HttpMethod.POST, ResponseTestBody.PATH, "one").getResponseBody()));
        String id = response.get("id").stringValue();
        String item = response.at("/output/0/id").stringValue();

        assertNotFound(exchange(keyed, HttpMethod.GET, path(response), "other"));
        assertNotFound(exchange(keyed, HttpMethod.DELETE, path(response), "other"));
        assertNotFound(exchange(keyed, HttpMethod.GET, path(response) + "/input_items", "other"));
        for (String body : List.of(
                "{'input': 'a', 'previous_response_id': '" + id + "'}",
                "{'input': [{'type': 'item_reference', 'id': '" + item + "'}]}")) {
            assertThat(post(keyed, ResponseTestBody.json(body), "other")
                            .getStatus()
                            .value())
                    .isEqualTo(400);
            assertThat(post(keyed, ResponseTestBody.json(body), "one")
                            .getStatus()
                            .value())
                    .isEqualTo(200);
        }
        assertThat(exchange(keyed, HttpMethod.GET, path(response), "one")
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void keepsAsManyAsItIsTold() {
        JsonNode first = ResponseTestBody.whole(small, ResponseTestBody.with(""));
        JsonNode second = ResponseTestBody.whole(small, ResponseTestBody.with(""));
        get(small, path(first));
        ResponseTestBody.whole(small, ResponseTestBody.with(""));

        assertThat(get(small, path(first)).getStatus().value()).isEqualTo(200);
        assertNotFound(get(small, path(second)));
    }

    @Test
    void keepsNoMoreThanThereIsRoomFor() {
        assertNotFound(get(forgetful, path(ResponseTestBody.whole(forgetful, ResponseTestBody.with("")))));
    }

    private static JsonNode respond(String body, boolean stream) {
        return stream
                ? ResponseTestBody.stream(server, body).getLast().get("response")
                : ResponseTestBody.whole(server, body);
    }

    private static String previous(JsonNode response) {
        return ", 'previous_response_id': " + response.get("id");
    }

    /** The response's output as items of an input. */
    private static String items(JsonNode response) {
        return response.get("output").valueStream().map(JsonNode::toString).collect(Collectors.joining(","));
    }

    private static List<ChatMessage> messages() {
        return ((Prompt.Chat) server.engine().lastRequest().prompt()).messages();
    }

    private static String path(JsonNode response) {
        return ResponseTestBody.PATH + "/" + response.get("id").stringValue();
    }

    private static EntityExchangeResult<String> get(TestServer from, String path) {
        return exchange(from, HttpMethod.GET, path, "");
    }

    private static EntityExchangeResult<String> exchange(TestServer with, HttpMethod method, String path, String key) {
        if (method.equals(HttpMethod.POST)) {
            return post(with, ResponseTestBody.with(""), key);
        }
        return with.client()
                .method(method)
                .uri(path)
                .headers(headers -> headers.setBearerAuth(key))
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private static EntityExchangeResult<String> post(TestServer to, String body, String key) {
        return to.client()
                .post()
                .uri(ResponseTestBody.PATH)
                .headers(headers -> headers.setBearerAuth(key))
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private static void assertNotFound(EntityExchangeResult<String> response) {
        assertThat(response.getStatus().value()).isEqualTo(404);
        assertThat(response.getResponseBody())
                .startsWith("{\"error\":{\"message\":\"there is no response 'resp_")
                .endsWith("\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"not_found\"}}");
    }

    private static void assertRefused(String body, String field) {
        EntityExchangeResult<String> refused = server.post(ResponseTestBody.PATH, body);
        assertThat(refused.getStatus().value()).isEqualTo(400);
        assertThat(refused.getResponseBody()).contains("\"param\":\"" + field + "\"");
    }
}
