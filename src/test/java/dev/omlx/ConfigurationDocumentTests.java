package dev.omlx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document and the example hold every key as the code has it. */
class ConfigurationDocumentTests {
    private static final Path DOCUMENT = Path.of("docs", "configuration.md");
    private static final Path EXAMPLE = Path.of("application.yml");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(omlx\\.[a-z0-9.-]+)` \\|(.*?)\\| .+ \\|$");

    /** Default value by key; empty where there is none. */
    private static final Map<String, String> KEYS = new TreeMap<>();

    @BeforeAll
    static void readMetadata() throws IOException {
        try (InputStream metadata =
                ConfigurationDocumentTests.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            for (JsonNode key : JsonMapper.shared().readTree(metadata).get("properties")) {
                if (key.get("name").stringValue().startsWith("omlx.")) {
                    KEYS.put(key.get("name").stringValue(), defaultValue(key.get("defaultValue")));
                    assertThat(key.path("description").asString(""))
                            .as("Javadoc of " + key.get("name"))
                            .isNotBlank();
                }
            }
        }
        assertThat(KEYS).isNotEmpty();
    }

    @Test
    void documentHoldsEveryKey() throws IOException {
        Map<String, String> documented = ROW.matcher(Files.readString(DOCUMENT))
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> row.group(2).replace("`", "").strip(),
                        (one, other) -> {
                            throw new AssertionError("documented twice: " + one + ", " + other);
                        }));

        assertThat(documented).containsOnlyKeys(KEYS.keySet());
        // a default that the code works out is told in words
        assertThat(documented).containsAllEntriesOf(withDefault());
    }

    @Test
    void exampleChangesNothing() throws IOException {
        assertThat(load(Files.readString(EXAMPLE))).isEmpty();
    }

    @Test
    void exampleHoldsKeysWithTheirDefaults() throws IOException {
        Matcher comments = Pattern.compile("(?m)^# ?(?!#)").matcher(Files.readString(EXAMPLE));
        Map<String, String> shown = load(comments.replaceAll(""));

        assertThat(shown).containsKey("omlx.server.max-body-size");
        shown.forEach((key, value) -> {
            if (key.startsWith("omlx.")) {
                assertThat(KEYS).containsEntry(key, value);
            }
        });
    }

    private static Map<String, String> withDefault() {
        return KEYS.entrySet().stream()
                .filter(key -> !key.getValue().isEmpty())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Map<String, String> load(String yaml) throws IOException {
        List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                .load("example", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        Map<String, String> values = new TreeMap<>();
        for (PropertySource<?> source : sources) {
            for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                values.put(name, String.valueOf(source.getProperty(name)));
            }
        }
        return values;
    }

    private static String defaultValue(@Nullable JsonNode value) {
        if (value == null) {
            return "";
        }
        return value.isArray()
                ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(","))
                : value.asString();
    }
}
