package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestServer;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;

/** What was asked, in pages. */
class InputItemsTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

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
        JsonNode response = StoredCalls.respond(server, ResponseTestBody.ofItems("""
                {'id': 'a', 'role': 'user', 'content': 'u'}, {'id': 'b', 'type': 'message', 'role': 'assistant',
                 'content': [{'type': 'output_text', 'text': 't', 'annotations': []}]},
                {'id': 'c', 'role': 'user', 'content': [{'type': 'input_text', 'text': 'v'}]}""", ""), false);

        JsonNode page = ResponseTestBody.tree(
                Objects.requireNonNull(StoredCalls.get(server, StoredCalls.path(response) + "/input_items" + query)
                        .getResponseBody()));

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
        JsonNode response = StoredCalls.respond(server, ResponseTestBody.with(""), false);

        assertThat(StoredCalls.get(server, StoredCalls.path(response) + "/input_items")
                        .getResponseBody())
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
        "?stream=true, stream",
        "?stream=zz, stream"
    })
    void namesWhatIsWrongInAQuery(String query, String parameter) {
        JsonNode response = StoredCalls.respond(server, ResponseTestBody.with(""), false);

        EntityExchangeResult<String> refused = StoredCalls.get(server, StoredCalls.path(response) + query);

        assertThat(refused.getStatus().value()).isEqualTo(400);
        assertThat(refused.getResponseBody()).contains("\"param\":\"" + parameter + "\"");
    }
}
