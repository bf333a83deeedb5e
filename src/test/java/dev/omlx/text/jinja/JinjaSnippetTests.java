package dev.omlx.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The language, snippet by snippet. What {@code jinja/snippets.json} expects was made by Python's Jinja2 with the script
 * beside it.
 */
class JinjaSnippetTests {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The time that the expectations were made at. */
    private static final RenderOptions OPTIONS =
            RenderOptions.defaults().withClock(Clock.fixed(Instant.parse("2026-01-02T15:04:05Z"), ZoneOffset.UTC));

    static Stream<Arguments> snippets() {
        JsonNode file = read();
        return file.get("snippets")
                .valueStream()
                .map(snippet -> Arguments.of(
                        snippet.get("source").asString(),
                        context(snippet.has("context") ? snippet.get("context") : file.get("context")),
                        snippet.has("text") ? snippet.get("text").asString() : null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("snippets")
    void rendersAsPythonDoes(String source, Map<String, Object> context, String expected) {
        if (expected == null) {
            assertThatExceptionOfType(JinjaException.class)
                    .isThrownBy(() -> JinjaTemplate.compile(source).render(context, OPTIONS));
        } else {
            assertThat(JinjaTemplate.compile(source).render(context, OPTIONS)).isEqualTo(expected);
        }
    }

    private static Map<String, Object> context(JsonNode node) {
        return JSON.convertValue(node, new TypeReference<>() {});
    }

    private static JsonNode read() {
        try (InputStream file = JinjaSnippetTests.class.getResourceAsStream("/jinja/snippets.json")) {
            return JSON.readTree(Objects.requireNonNull(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
