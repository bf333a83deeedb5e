package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionsTests {
    @Test
    void findsTheNearestWord() {
        assertThat(Suggestions.closest("--prot", List.of("--host", "--port", "--model")))
                .contains("--port");
        assertThat(Suggestions.closest("/hepl", List.of("/exit", "/help"))).contains("/help");
        assertThat(Suggestions.closest("rnu", List.of("run", "serve"))).contains("run");
    }

    @Test
    void doesNotGuessWildly() {
        assertThat(Suggestions.closest("xyz", List.of("run", "serve"))).isEmpty();
        assertThat(Suggestions.didYouMean("xyz", List.of("run"))).isEmpty();
    }
}
