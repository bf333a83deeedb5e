package dev.omlx.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTests {
    /** Of "secret". */
    private static final String HASH = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    @Test
    void findsKeysWhetherTheyWereGivenPlainOrHashed() {
        ApiKeys keys = new ApiKeys(List.of(ApiKey.valueOf("sha256:" + HASH), ApiKey.valueOf("other")));

        assertThat(keys.find("secret")).contains(ApiKey.valueOf("secret"));
        assertThat(keys.find("other")).isPresent();
        for (String wrong : List.of("", "Secret", "secret ", "secre", HASH, "sha256:" + HASH)) {
            assertThat(keys.find(wrong)).as(wrong).isEmpty();
        }
    }

    @Test
    void keepsNoKeyThatCouldBeShown() {
        assertThat(ApiKey.valueOf("secret")).hasToString("sha256:2bb80d53");
        assertThat(ApiKey.valueOf(" secret ")).isEqualTo(ApiKey.valueOf("sha256:" + HASH.toUpperCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "sha256:", "sha256:2bb8", "sha256:zz"})
    void refusesWhatCannotBeAKey(String configured) {
        assertThatThrownBy(() -> ApiKey.valueOf(configured)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noKeysMeanThatNobodyIsAsked() {
        assertThat(new ApiKeys(List.of()).isEmpty()).isTrue();
        assertThat(new ApiKeys(List.of(ApiKey.valueOf("a"))).isEmpty()).isFalse();
    }
}
