package dev.omlx.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LayerWindowsTests {
    @Test
    void listedTypesWin() {
        Map<String, Object> config =
                Map.of("sliding_window", 32, "layer_types", List.of("sliding_attention", "full_attention"));
        assertThat(LayerWindows.read(reader(config), 2, 0)).containsExactly(32, 0);
        assertThat(LayerWindows.ofQwen(reader(config), 2)).containsExactly(32, 0);
    }

    @Test
    void withoutTypesTheWindowBeginsAtALayer() {
        assertThat(LayerWindows.read(reader(Map.of("sliding_window", 8)), 3, 0)).containsExactly(8, 8, 8);
        assertThat(LayerWindows.read(reader(Map.of("sliding_window", 8)), 3, 3)).containsExactly(0, 0, 0);
        assertThat(LayerWindows.read(reader(Map.of()), 3, 0)).containsExactly(0, 0, 0);
    }

    @Test
    void qwenSwitchesItOn() {
        assertThat(LayerWindows.ofQwen(reader(Map.of("sliding_window", 8, "max_window_layers", 2)), 3))
                .containsExactly(0, 0, 0);
        assertThat(LayerWindows.ofQwen(
                        reader(Map.of("sliding_window", 8, "max_window_layers", 2, "use_sliding_window", true)), 3))
                .containsExactly(0, 0, 8);
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        refused(Map.of("layer_types", List.of("full_attention")), "layer_types", "1 entries for 2 layers");
        refused(Map.of("layer_types", List.of("chunked_attention", "full_attention")), "layer_types", "chunked");
        refused(Map.of("layer_types", List.of("sliding_attention", "full_attention")), "sliding_window", "missing");
        refused(Map.of("max_window_layers", "x"), "max_window_layers", "whole number");
        refused(Map.of("use_sliding_window", "yes"), "use_sliding_window", "true or false");
    }

    private static void refused(Map<String, Object> config, String key, String fault) {
        assertThatThrownBy(() -> LayerWindows.ofQwen(reader(config), 2))
                .isInstanceOf(ModelConfigException.class)
                .hasMessageContainingAll("'" + key + "'", fault);
    }

    private static ConfigReader reader(Map<String, Object> config) {
        return new ConfigReader("config.json", config);
    }
}
