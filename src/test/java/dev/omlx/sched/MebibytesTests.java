package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MebibytesTests {
    @ParameterizedTest
    @CsvSource({
        "671088640, 656408576, 640 MiB, 626 MiB",
        "1048576,   1048575,   1.000000 MiB, 0.999999 MiB",
        "1100000,   1000000,   1.05 MiB, 0.95 MiB",
        "1,         0,         0.000001 MiB, 0.000000 MiB",
        "5,         5,         0 MiB, 0 MiB",
    })
    void takesAsManyDecimalsAsTellThemApart(long more, long less, String one, String other) {
        Mebibytes sizes = new Mebibytes(more, less);
        assertThat(sizes.of(more)).isEqualTo(one);
        assertThat(sizes.of(less)).isEqualTo(other);
    }

    @Test
    void aSingleByteIsSeen() {
        for (long bytes = 1; bytes < 1L << 50; bytes = bytes * 3 + 1) {
            Mebibytes sizes = new Mebibytes(bytes, bytes + 1);
            assertThat(sizes.of(bytes)).isNotEqualTo(sizes.of(bytes + 1));
        }
    }
}
