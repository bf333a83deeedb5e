package dev.omlx.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.omlx.testsupport.ChatTemplates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Chat templates of real models against what Python's Jinja2 makes of them, byte for byte.
 */
class ChatTemplateGoldenTests {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final RenderOptions OPTIONS = RenderOptions.defaults().withFixedNow("2026-01-02");

    @TestFactory
    Stream<? extends DynamicNode> rendersAsPythonDoes() throws IOException {
        if (!ChatTemplates.areThere()) {
            return Stream.of(dynamicTest("chat templates", ChatTemplates::directory));
        }
        Path directory = ChatTemplates.directory();
        Map<String, Map<String, Object>> contexts =
                JSON.readValue(Files.readString(directory.resolve("contexts.json")), new TypeReference<>() {});
        return templates(directory.resolve("templates")).stream().map(file -> {
            String name = file.getFileName().toString().replace(".jinja", "");
            JsonNode expected = JSON.readTree(directory.resolve("expected").resolve(name + ".json"));
            String source = read(file);
            return dynamicContainer(
                    name,
                    contexts.entrySet().stream()
                            .map(context -> test(
                                    context.getKey(), source, context.getValue(), expected.get(context.getKey()))));
        });
    }

    private static DynamicTest test(String name, String source, Map<String, Object> context, JsonNode expected) {
        return dynamicTest(name, () -> {
            if (expected.has("err")) {
                assertThatExceptionOfType(JinjaException.class)
                        .isThrownBy(() -> JinjaTemplate.compile(source).render(context, OPTIONS));
            } else {
                assertThat(JinjaTemplate.compile(source).render(context, OPTIONS))
                        .isEqualTo(expected.get("ok").asString());
            }
        });
    }

    private static List<Path> templates(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> templates = files.filter(file -> file.toString().endsWith(".jinja"))
                    .sorted()
                    .toList();
            assertThat(templates).isNotEmpty();
            return templates;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
