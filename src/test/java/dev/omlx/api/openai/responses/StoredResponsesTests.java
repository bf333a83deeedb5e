package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;

/** Responses that clients ask for again, and how long they are kept. */
class StoredResponsesTests {
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
    void givesAResponseAgain(boolean stream) {
        JsonNode response = StoredCalls.respond(
                server, ResponseTestBody.with("'max_output_tokens': 1, 'metadata': {'a': 'b'}"), stream);

        EntityExchangeResult<String> again = StoredCalls.get(server, StoredCalls.path(response));

        assertThat(again.getResponseHeaders().getContentType()).hasToString("application/json");
        assertThat(again.getResponseBody()).isEqualTo(response.toString());
    }

    @Test
    void deletesAResponseButNotWhatWentOnFromIt() {
        JsonNode first = StoredCalls.respond(server, ResponseTestBody.with(""), false);
        JsonNode second =
                StoredCalls.respond(server, ResponseTestBody.with("'user': 'u'" + StoredCalls.previous(first)), false);

        EntityExchangeResult<String> deleted =
                StoredCalls.exchange(server, HttpMethod.DELETE, StoredCalls.path(first), "");

        assertThat(deleted.getResponseBody())
                .isEqualTo("{\"id\":%s,\"object\":\"response\",\"deleted\":true}".formatted(first.get("id")));
        StoredCalls.assertNotFound(StoredCalls.get(server, StoredCalls.path(first)));
        StoredCalls.assertNotFound(StoredCalls.exchange(server, HttpMethod.DELETE, StoredCalls.path(first), ""));
        StoredCalls.respond(server, ResponseTestBody.with("'user': 'u'" + StoredCalls.previous(second)), false);
        assertThat(StoredCalls.messages(server)).hasSize(5);
    }

    @Test
    void keepsNothingThatTheClientWantsForgotten() {
        JsonNode response = StoredCalls.respond(server, ResponseTestBody.with("'store': false"), false);

        StoredCalls.assertNotFound(StoredCalls.get(server, StoredCalls.path(response)));
        StoredCalls.assertNotFound(StoredCalls.get(server, StoredCalls.path(response) + "/input_items"));
        assertRefused(ResponseTestBody.with("'user': 'u'" + StoredCalls.previous(response)), "previous_response_id");
    }

    @Test
    void keepsNothingThatFailed() {
        server.engine().play(Script.empty().start().say("a").fail(new EngineException.Failed("broken", null)));

        JsonNode failed = StoredCalls.respond(server, ResponseTestBody.with(""), true);

        assertThat(failed.get("status").stringValue()).isEqualTo("failed");
        StoredCalls.assertNotFound(StoredCalls.get(server, StoredCalls.path(failed)));
    }

    @Test
    void showsNoKeyTheResponsesOfAnother() {
        JsonNode response = ResponseTestBody.tree(
                Objects.requireNonNull(StoredCalls.exchange(keyed, HttpMethod.POST, ResponseTestBody.PATH, "one")
                        .getResponseBody()));
        String id = response.get("id").stringValue();
        String item = response.at("/output/0/id").stringValue();

        StoredCalls.assertNotFound(StoredCalls.exchange(keyed, HttpMethod.GET, StoredCalls.path(response), "other"));
        StoredCalls.assertNotFound(StoredCalls.exchange(keyed, HttpMethod.DELETE, StoredCalls.path(response), "other"));
        StoredCalls.assertNotFound(
                StoredCalls.exchange(keyed, HttpMethod.GET, StoredCalls.path(response) + "/input_items", "other"));
        for (String body : List.of(
                "{'input': 'a', 'previous_response_id': '" + id + "'}",
                "{'input': [{'type': 'item_reference', 'id': '" + item + "'}]}")) {
            assertThat(StoredCalls.post(keyed, ResponseTestBody.json(body), "other")
                            .getStatus()
                            .value())
                    .isEqualTo(400);
            assertThat(StoredCalls.post(keyed, ResponseTestBody.json(body), "one")
                            .getStatus()
                            .value())
                    .isEqualTo(200);
        }
        assertThat(StoredCalls.exchange(keyed, HttpMethod.GET, StoredCalls.path(response), "one")
                        .getStatus()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void keepsAsManyAsItIsTold() {
        JsonNode first = ResponseTestBody.whole(small, ResponseTestBody.with(""));
        JsonNode second = ResponseTestBody.whole(small, ResponseTestBody.with(""));
        StoredCalls.get(small, StoredCalls.path(first));
        ResponseTestBody.whole(small, ResponseTestBody.with(""));

        assertThat(StoredCalls.get(small, StoredCalls.path(first)).getStatus().value())
                .isEqualTo(200);
        StoredCalls.assertNotFound(StoredCalls.get(small, StoredCalls.path(second)));
    }

    @Test
    void keepsNoMoreThanThereIsRoomFor() {
        StoredCalls.assertNotFound(StoredCalls.get(
                forgetful, StoredCalls.path(ResponseTestBody.whole(forgetful, ResponseTestBody.with("")))));
    }

    private static void assertRefused(String body, String field) {
        EntityExchangeResult<String> refused = server.post(ResponseTestBody.PATH, body);
        assertThat(refused.getStatus().value()).isEqualTo(400);
        assertThat(refused.getResponseBody()).contains("\"param\":\"" + field + "\"");
    }
}
