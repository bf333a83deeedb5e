package dev.omlx.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StopMatcherTests {

    @Test
    void holdsBackWhatCouldBecomeAStop() {
        StopMatcher matcher = new StopMatcher(List.of("DEFGHIJ"));
        assertThat(matcher.feed("ABC")).isEqualTo(new StopMatcher.Result("ABC", null));
        assertThat(matcher.feed("DEF")).isEqualTo(new StopMatcher.Result("", null));
        assertThat(matcher.feed("G")).isEqualTo(new StopMatcher.Result("", null));
        assertThat(matcher.feed("HI")).isEqualTo(new StopMatcher.Result("", null));
        assertThat(matcher.feed("JKL")).isEqualTo(new StopMatcher.Result("", "DEFGHIJ"));
        assertThat(matcher.flush()).isEmpty();
    }

    @Test
    void givesBackWhatWasHeldAtTheEnd() {
        StopMatcher matcher = new StopMatcher(List.of("\n\nUser:"));
        assertThat(matcher.feed("done.\n\nUse")).isEqualTo(new StopMatcher.Result("done.", null));
        assertThat(matcher.flush()).isEqualTo("\n\nUse");
        assertThat(matcher.flush()).isEmpty();
    }

    @Test
    void releasesWhatTurnedOutNotToBeAStop() {
        StopMatcher matcher = new StopMatcher(List.of("aab"));
        assertThat(matcher.feed("aa").text()).isEmpty();
        assertThat(matcher.feed("a").text()).isEqualTo("a");
        assertThat(matcher.feed("c").text()).isEqualTo("aac");
    }

    @Test
    void theMatchThatIsCompleteFirstWins() {
        assertThat(new StopMatcher(List.of("abcd", "bc")).feed("xabcd")).isEqualTo(new StopMatcher.Result("xa", "bc"));
        assertThat(new StopMatcher(List.of("\n\n", "\n")).feed("x\n\n")).isEqualTo(new StopMatcher.Result("x", "\n"));
    }

    @Test
    void ofTwoCompleteTogetherTheLongerWins() {
        assertThat(new StopMatcher(List.of("bc", "abc")).feed("xabc")).isEqualTo(new StopMatcher.Result("x", "abc"));
    }

    @Test
    void withoutStopsEverythingPasses() {
        StopMatcher matcher = new StopMatcher(List.of());
        assertThat(matcher.feed("abc")).isEqualTo(new StopMatcher.Result("abc", null));
        assertThat(matcher.flush()).isEmpty();
    }

    @Test
    void refusesEmptyStopsAndTextAfterTheEnd() {
        assertThatThrownBy(() -> new StopMatcher(List.of("a", ""))).isInstanceOf(IllegalArgumentException.class);
        StopMatcher matcher = new StopMatcher(List.of("a"));
        matcher.feed("a");
        assertThatThrownBy(() -> matcher.feed("b")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void agreesWithASearchOfTheWholeTextHoweverItIsSplit() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            String text = letters(random, random.nextInt(30));
            List<String> stops = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                stops.add(letters(random, 1 + random.nextInt(6)));
            }
            String as = "seed " + seed + ", round " + round + ", stops " + stops + ", text " + text;
            assertThat(splitAndFed(random, stops, text, as)).as(as).isEqualTo(searched(stops, text));
        }
    }

    /** What is shown in all and the stop, by trying every end of the text. */
    private static StopMatcher.Result searched(List<String> stops, String text) {
        for (int end = 1; end <= text.length(); end++) {
            String found = null;
            for (String stop : stops) {
                if (text.startsWith(stop, end - stop.length()) && (found == null || stop.length() > found.length())) {
                    found = stop;
                }
            }
            if (found != null) {
                return new StopMatcher.Result(text.substring(0, end - found.length()), found);
            }
        }
        return new StopMatcher.Result(text, null);
    }

    private static StopMatcher.Result splitAndFed(Random random, List<String> stops, String text, String as) {
        StopMatcher matcher = new StopMatcher(stops);
        StringBuilder shown = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int to = at + 1 + random.nextInt(text.length() - at);
            StopMatcher.Result result = matcher.feed(text.substring(at, to));
            shown.append(result.text());
            at = to;
            if (result.stop() != null) {
                return new StopMatcher.Result(shown.toString(), result.stop());
            }
            assertThat(at - shown.length()).as(as).isEqualTo(longestBeginning(stops, text.substring(0, at)));
        }
        return new StopMatcher.Result(shown + matcher.flush(), null);
    }

    private static int longestBeginning(List<String> stops, String text) {
        int longest = 0;
        for (String stop : stops) {
            for (int length = 1; length < stop.length(); length++) {
                if (text.endsWith(stop.substring(0, length))) {
                    longest = Math.max(longest, length);
                }
            }
        }
        return longest;
    }

    private static String letters(Random random, int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append((char) ('a' + random.nextInt(2)));
        }
        return letters.toString();
    }
}
