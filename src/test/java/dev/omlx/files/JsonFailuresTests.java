package dev.omlx.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class JsonFailuresTests {
    private static final JsonMapper JSON = JsonMapper.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"a": [1        | is not JSON at line 1, column 9: it ends too early
            {"a": "b        | is not JSON at line 1, column 9: it ends too early
            {"a             | is not JSON at line 1, column 4: it ends too early
            {"a": 1]        | is not JSON at line 1, column 8: unexpected close marker ']': expected '}'
            {a: 1}          | is not JSON at line 1, column 2: unexpected character ('a' (code 97)): was expecting double-quote to start property name
            {"a": NaN}      | is not JSON at line 1, column 10: non-standard token 'NaN'
            """)
    void saysWhereAndWhat(String json, String expected) {
        assertThat(JsonFailures.describe(failure(json.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(expected);
    }

    @Test
    void saysThatALimitIsReached() {
        byte[] deep = "[".repeat(100_000).getBytes(StandardCharsets.UTF_8);
        assertThat(JsonFailures.describe(failure(deep)))
                .startsWith("goes beyond a limit")
                .contains("nesting depth")
                .doesNotContain("StreamRead", "`");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 01}",
                "{\"a\": +1}",
                "{\"a\": 1.}",
                "{\"a\": -}",
                "{\"a\": tru}",
                "{\"a\": 'b'}",
                "{\"a\": \"\\x\"}",
                "{\"a\": \"\\u12\"}",
                "{\"a\": \"\n\"}",
                "{\"a\" 1}",
                "{\"a\": 1,}",
                "[1,]",
                "[1 2]",
                "{]",
                "]",
                "nul",
                "//",
                "{\"a\": 1 /* b */}",
                "{\"a\": \u00e9}",
                "\u0000",
                "{`: 1}",
                "[Source"
            })
    void keepsTheParserOutOfIt(String json) {
        requirePlain(failure(json.getBytes(StandardCharsets.UTF_8)));
        requirePlain(failure(json.getBytes(StandardCharsets.ISO_8859_1)));
        requirePlain(catchThrowableOfType(JacksonException.class, () -> JSON.readTree(json)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "3", "\"a\""})
    void keepsJavasTypesOutOfIt(String json) {
        requirePlain(catchThrowableOfType(JacksonException.class, () -> JSON.readValue(json, java.util.Map.class)));
    }

    private static void requirePlain(JacksonException failure) {
        assertThat(JsonFailures.describe(failure))
                .startsWith("is not JSON at line ")
                .doesNotContain("StreamRead", "JsonRead", "REDACTED", "java.", "jackson", "start marker", "\n")
                .hasSizeGreaterThan("is not JSON at line 1, column 1: ".length());
    }

    private static JacksonException failure(byte[] json) {
        return catchThrowableOfType(JacksonException.class, () -> JSON.readTree(json));
    }
}
