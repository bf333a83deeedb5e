package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LargestTests {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 63, 64, 99, 100})
    void findsTheBorderWhereverItIs(int border) {
        assertThat(Largest.thatFits(100, number -> number <= border)).isEqualTo(border);
    }

    @Test
    void goesNoFurtherThanItIsLet() {
        assertThat(Largest.thatFits(7, number -> true)).isEqualTo(7);
        assertThat(Largest.thatFits(Integer.MAX_VALUE, number -> true)).isEqualTo(Integer.MAX_VALUE);
        assertThat(Largest.thatFits(0, number -> true)).isZero();
    }
}
