package dev.omlx.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.ApiContract;
import dev.omlx.testsupport.TestServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The document says what the server does. That it is true of what tests send and get, {@link TestServer} checks. */
class OpenApiTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    private static final ApiContract CONTRACT = new ApiContract();

    /** A body that is valid and without an effect on what may stand beside it. */
    private record Seed(String path, String body) {
        @Override
        public String toString() {
            return path;
        }
    }

    private static final List<Seed> SEEDS = List.of(
            new Seed("/v1/chat/completions", """
            {"messages": [{"role": "user", "content": "Hi"}], "stream": true, "logprobs": true}"""),
            new Seed("/v1/completions", """
            {"prompt": "Hi", "echo": true, "max_tokens": 9}"""),
            new Seed("/v1/responses", """
            {"input": "Hi", "stream": true}"""),
            new Seed("/v1/responses/input_tokens", """
            {"input": "Hi"}"""),
            new Seed("/v1/embeddings", """
            {"input": "Hi"}"""),
            new Seed("/v1/rerank", """
            {"query": "q", "documents": ["d"]}"""),
            new Seed("/v1/rerank", """
            {"query": "q", "texts": ["t"]}"""),
            new Seed("/v1/messages", """
            {"model": "alias", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}"""),
            new Seed("/v1/messages/count_tokens", """
            {"model": "alias", "messages": [{"role": "user", "content": "Hi"}]}"""),
            new Seed("/api/chat", """
            {"model": "alias", "messages": [{"role": "user", "content": "Hi"}]}"""),
            new Seed("/api/generate", """
            {"model": "alias", "prompt": "Hi"}"""),
            new Seed("/api/embed", """
            {"model": "alias", "input": "Hi"}"""),
            new Seed("/api/embeddings", """
            {"model": "alias", "prompt": "Hi"}"""),
            new Seed("/api/show", """
            {"model": "alias"}"""));

    /** Fields whose value may be refused for another field's sake. */
    private static final Map<String, Set<String>> DEPENDENT = Map.of(
            "/v1/chat/completions",
            // less than min_tokens; forms of stream_options without stream; top_logprobs without logprobs; a last
            // message
            // that is a user's
            Set.of("logprobs", "stream", "min_tokens", "continue_final_message", "add_generation_prompt"),
            "/v1/responses",
            // of a response that is not kept
            Set.of("previous_response_id"),
            "/v1/responses/input_tokens",
            Set.of("previous_response_id"),
            "/v1/completions",
            Set.of("echo", "max_tokens", "min_tokens", "n", "best_of", "stream_options"));

    static List<Seed> seeds() {
        return SEEDS;
    }

    @Test
    void isServed() {
        JsonNode document = JsonMapper.shared()
                .readTree(server.client()
                        .get()
                        .uri("/openapi.json")
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody(String.class)
                        .returnResult()
                        .getResponseBody());

        assertThat(document).isEqualTo(CONTRACT.document());
        assertThat(document.path("openapi").stringValue()).isEqualTo("3.1.1");
        assertThat(document.at("/info/version").stringValue()).isNotBlank();
    }

    @Test
    void describesEveryRouteAndNoOther() {
        assertThat(CONTRACT.routes()).isEqualTo(server.routes());
    }

    @Test
    void refersToWhatIsThere() {
        List<JsonNode> references = CONTRACT.document().findValues("$ref");
        assertThat(references).hasSizeGreaterThan(50);
        assertThat(references)
                .allSatisfy(reference -> assertThat(CONTRACT.document()
                                .at(reference.stringValue().substring(1))
                                .isMissingNode())
                        .as(reference.stringValue())
                        .isFalse());

        Set<String> used = new HashSet<>();
        references.forEach(reference -> used.add(reference.stringValue()));
        for (String kind : List.of("schemas", "responses", "parameters")) {
            assertThat(CONTRACT.document().at("/components/" + kind).propertyNames())
                    .allSatisfy(name -> assertThat(used).contains("#/components/" + kind + "/" + name));
        }
        assertThat(CONTRACT.document().findValues("operationId")).doesNotHaveDuplicates();
    }

    /** Else the traffic of all tests would prove nothing. */
    @Test
    void noticesWhatIsNotDescribed() {
        String operation =
                CONTRACT.operation("POST", "/v1//messages/count_tokens").orElseThrow();
        ObjectNode body = JsonMapper.shared().createObjectNode().put("input_tokens", 7);
        assertThat(CONTRACT.violations(operation, 200, "application/json", body))
                .isEmpty();

        assertThat(CONTRACT.violations(operation, 200, "text/plain", body)).isNotEmpty();
        assertThat(CONTRACT.violations(operation, 201, "application/json", body))
                .isNotEmpty();
        assertThat(CONTRACT.violations(operation, 400, "application/json", body))
                .isNotEmpty();
        assertThat(CONTRACT.violations(
                        operation, 200, "application/json", body.deepCopy().put("more", 1)))
                .isNotEmpty();
        assertThat(CONTRACT.violations(operation, 200, "application/json", body.put("input_tokens", "7")))
                .isNotEmpty();
    }

    @Test
    void hasASeedForEachBody() {
        assertThat(CONTRACT.routes().stream()
                        .filter(route -> route.startsWith("POST "))
                        .map(route -> route.substring("POST ".length()))
                        .filter(path -> CONTRACT.document()
                                .path("paths")
                                .path(path)
                                .path("post")
                                .has("requestBody")))
                .allSatisfy(path -> assertThat(SEEDS.stream().map(Seed::path))
                        .as("a seed for " + path)
                        .contains(path.replaceFirst("^(/v2)?/rerank$", "/v1/rerank")));
    }

    /** What the document forbids is refused, and what it allows is not, field by field. */
    @ParameterizedTest
    @MethodSource("seeds")
    void agreesWithTheServerOnEachField(Seed seed) {
        String operation = CONTRACT.operation("POST", seed.path()).orElseThrow();
        ObjectNode body = (ObjectNode) JsonMapper.shared().readTree(seed.body());
        assertThat(CONTRACT.violations(operation, body)).isEmpty();
        List<String> disagreements = new ArrayList<>();
        int refused = 0;
        for (String field : CONTRACT.fields(operation)) {
            for (JsonNode value : values()) {
                ObjectNode changed = body.deepCopy();
                changed.set(field, value);
                boolean forbidden = !CONTRACT.violations(operation, changed).isEmpty();
                int status =
                        server.post(seed.path(), changed.toString()).getStatus().value();
                boolean excused = !forbidden
                        && DEPENDENT.getOrDefault(seed.path(), Set.of()).contains(field);
                if (forbidden != (status == 400) && !excused) {
                    disagreements.add("%s is %s, and the server says %d"
                            .formatted(changed, forbidden ? "forbidden" : "allowed", status));
                }
                refused += forbidden ? 1 : 0;
            }
        }
        assertThat(disagreements).isEmpty();
        assertThat(refused).isPositive();
    }

    /** Of each type some, at and beyond the limits that there are. */
    private static List<JsonNode> values() {
        Stream<String> numbers = Stream.of(
                "-3",
                "-2",
                "-1.5",
                "-1",
                "-0.5",
                "0",
                "0.005",
                "0.01",
                "0.5",
                "1",
                "1.5",
                "2",
                "2.1",
                "5",
                "6",
                "20",
                "21",
                "100",
                "101",
                "128",
                "129",
                "2147483647",
                "2147483648",
                "1e18");
        Stream<String> others = Stream.of(
                "true",
                "false",
                "\"\"",
                "\"x\"",
                "\"low\"",
                "\"none\"",
                "\"auto\"",
                "\"float\"",
                "[]",
                "[\"\"]",
                "[\"x\"]",
                "[1]",
                "[-1]",
                "[[1]]",
                "[[]]",
                "[{}]",
                "{}",
                "{\"type\": \"text\"}",
                "{\"type\": \"auto\"}",
                "[" + "\"x\",".repeat(4) + "\"x\"]",
                "[" + "\"x\",".repeat(64) + "\"x\"]",
                "[{\"type\": \"function\"}]",
                "[{\"type\": \"other\"}]",
                "{\"1\": 100}",
                "{\"1\": 101}");
        return Stream.concat(numbers, others)
                .map(text -> JsonMapper.shared().readTree(text))
                .toList();
    }
}
