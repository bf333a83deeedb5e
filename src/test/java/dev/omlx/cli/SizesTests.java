package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizesTests {
    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "999, 999 B",
        "1000, 1.0 kB",
        "99949, 99.9 kB",
        "99950, 100 kB",
        "999499, 999 kB",
        "999500, 1.0 MB",
        "1500000000, 1.5 GB",
        "5000000000000000, 5000 TB"
    })
    void readsWell(long bytes, String text) {
        assertThat(Sizes.readable(bytes)).isEqualTo(text);
    }
}
