package dev.omlx.api.equality;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.api.equality.Sayings.Saying;
import dev.omlx.engine.ScriptedModel;
import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ReasoningFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.testsupport.Face;
import dev.omlx.testsupport.RandomNumbers;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.json.JsonMapper;

/**
 * Streamed is whole, character by character and count by count, whatever the model says, however it is cut into tokens,
 * whatever is asked for, at all faces. The system property {@code omlx.equality.requests} tells how many are tried.
 */
class StreamEqualityTests {
    private static final int REQUESTS = Integer.getInteger("omlx.equality.requests", 512);

    @RegisterExtension
    static final TestServer server = TestServer.with();

    @RegisterExtension
    static final TestServer slow = TestServer.with("omlx.server.streaming-interval=3");

    @Test
    void streamsTheSame() {
        Random random = RandomNumbers.seeded();
        Sayings sayings = new Sayings(random);
        Set<ToolFormat> called = EnumSet.of(ToolFormat.NONE);
        Set<ReasoningFormat> thought = EnumSet.of(ReasoningFormat.NONE);
        for (int i = 0; i < REQUESTS; i++) {
            OutputFormat format = new OutputFormat(any(ReasoningFormat.values(), random), ToolFormat.values()[i % 16]);
            Face face = any(Face.values(), random);
            boolean orderly = i / 16 % 2 == 0;
            Saying saying = orderly ? sayings.orderly(format) : sayings.random(format);
            String fields = orderly ? Options.tools(face) : Options.random(face, random);

            Told told = assertTheSame(random.nextBoolean() ? server : slow, format, saying, face, fields);

            if (told.choices().getFirst().contains("calls <" + Sayings.WEATHER)) {
                called.add(format.tools());
            }
            if (format.tools() != ToolFormat.HARMONY
                    && told.choices().getFirst().contains("thoughts <Hm.>")) {
                thought.add(format.reasoning());
            }
        }
        assertThat(called).containsExactlyInAnyOrder(ToolFormat.values());
        assertThat(thought).containsExactlyInAnyOrder(ReasoningFormat.values());
    }

    private static Told assertTheSame(TestServer to, OutputFormat format, Saying saying, Face face, String fields) {
        try (ScriptedModel model = new ScriptedModel(format, saying.promptEnd(), saying.tokens(), saying.specials())) {
            to.engine().play(Script.of(model::generate));
            String usage = face == Face.CHAT || face == Face.COMPLETIONS
                    ? ", \"stream_options\": {\"include_usage\": true}"
                    : "";
            Told whole = client(face).whole(JsonMapper.shared().readTree(post(to, face, face.body(false, fields))));
            Told streamed = client(face).streamed(post(to, face, face.body(true, fields + usage)));
            assertThat(streamed)
                    .as("%s of %s: %s, %s", face, format, saying, fields)
                    .isEqualTo(whole);
            return whole;
        }
    }

    private static String post(TestServer to, Face face, String body) {
        EntityExchangeResult<String> response = to.post(face.path(), body);
        assertThat(response.getStatus().value()).as(body).isEqualTo(200);
        return Objects.requireNonNull(response.getResponseBody());
    }

    private static Client client(Face face) {
        return switch (face) {
            case CHAT, COMPLETIONS -> new OpenAiClient();
            case RESPONSES -> new ResponsesClient();
            case MESSAGES -> new AnthropicClient();
            case OLLAMA_CHAT, OLLAMA_GENERATE -> new OllamaClient();
        };
    }

    private static <T> T any(T[] all, Random random) {
        return all[random.nextInt(all.length)];
    }
}
