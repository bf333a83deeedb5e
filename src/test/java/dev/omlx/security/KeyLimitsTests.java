package dev.omlx.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.security.KeyLimits.Decision;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeyLimitsTests {
    private static final ApiKey ONE = ApiKey.valueOf("one");
    private static final ApiKey OTHER = ApiKey.valueOf("other");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void grantsEverythingWithoutLimits() {
        KeyLimits limits = new KeyLimits(null, null, now::get);

        for (int i = 0; i < 1000; i++) {
            assertThat(limits.ask(ONE)).isInstanceOf(Decision.Granted.class);
        }
    }

    @Test
    void countsRequestsUnderWayOfEachKeyByItself() {
        KeyLimits limits = new KeyLimits(null, 2, now::get);
        Decision.Granted first = (Decision.Granted) limits.ask(ONE);
        limits.ask(ONE);

        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Refused.class);
        assertThat(limits.ask(OTHER)).isInstanceOf(Decision.Granted.class);

        first.close();
        first.close();

        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Granted.class);
        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Refused.class);
    }

    @Test
    void saysWhenTheNextRequestMayBegin() {
        KeyLimits limits = new KeyLimits(6, null, now::get);
        for (int i = 0; i < 6; i++) {
            assertThat(limits.ask(ONE)).isInstanceOf(Decision.Granted.class);
        }
        pass(Duration.ofSeconds(4));

        Decision.Refused refused = (Decision.Refused) limits.ask(ONE);
        assertThat(refused.retryAfter()).isBetween(Duration.ofMillis(5999), Duration.ofMillis(6001));
        assertThat(refused.reason()).contains("6 requests a minute");
        assertThat(limits.ask(OTHER)).isInstanceOf(Decision.Granted.class);

        pass(refused.retryAfter());
        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Granted.class);
        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Refused.class);
    }

    @Test
    void aPauseSavesUpNoMoreThanAMinutesWorth() {
        KeyLimits limits = new KeyLimits(3, null, now::get);
        pass(Duration.ofDays(1));

        for (int i = 0; i < 3; i++) {
            assertThat(limits.ask(ONE)).isInstanceOf(Decision.Granted.class);
        }
        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Refused.class);
    }

    @Test
    void whatIsRefusedForOneLimitIsNotCountedForTheOther() {
        KeyLimits limits = new KeyLimits(2, 1, now::get);
        Decision.Granted first = (Decision.Granted) limits.ask(ONE);
        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Refused.class);
        first.close();

        assertThat(limits.ask(ONE)).isInstanceOf(Decision.Granted.class);
    }
}
