package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationKeysTests {
    private final ConfigurationKeys keys = new ConfigurationKeys(Map.of(
            "omlx.memory.max", "org.springframework.util.unit.DataSize",
            "omlx.models.aliases", "java.util.Map<java.lang.String,java.lang.String>",
            "omlx.auth.api-keys", "java.util.List<java.lang.String>"));

    @Test
    void allowsWhatIsKnownInAnySpelling() {
        assertThat(keys.allow("omlx.memory.max")).isTrue();
        assertThat(keys.allow("omlx.auth.apiKeys")).isTrue();
        assertThat(keys.allow("omlx.auth.api_keys")).isTrue();
    }

    @Test
    void allowsEntriesOfMapsAndLists() {
        assertThat(keys.allow("omlx.models.aliases.gpt")).isTrue();
        assertThat(keys.allow("omlx.auth.api-keys[0]")).isTrue();
        assertThat(keys.allow("omlx.memory.max.x")).isFalse();
    }

    @Test
    void leavesKeysOfOthersAlone() {
        assertThat(keys.allow("server.ssl.enabled")).isTrue();
        assertThat(keys.allow("logging.level.root")).isTrue();
    }

    @Test
    void refusesUnknownOnesAndGuesses() {
        assertThat(keys.allow("omlx.memory.mx")).isFalse();
        assertThat(keys.didYouMean("omlx.memory.mx")).contains("omlx.memory.max");
    }

    @Test
    void readsTheCompiledMetadata() {
        assertThat(ConfigurationKeys.ofClasspath().allow("omlx.server.max-body-size"))
                .isTrue();
        assertThat(ConfigurationKeys.ofClasspath().allow("omlx.server.max-bodies"))
                .isFalse();
    }
}
