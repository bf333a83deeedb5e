package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody waits for ever, and short requests hardly at all. */
class FairnessTests {
    private static final long MILLI = 1_000_000;

    static List<SimulatedDevice> devices() {
        return List.of(SimulatedDevice.FAST, SimulatedDevice.SLOW);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aShortRequestBehindALongPromptWaitsTwoChunksAtMost(SimulatedDevice device) {
        long chunk = device.nanos(StepShape.EMPTY.plusPrefill(0, 2048));
        for (int part = 0; part < 20; part++) {
            Simulation simulation =
                    Simulation.of(SchedulerConfig.DEFAULT, device).warm("model");
            Request longOne = simulation.request("long").prompt(6000).max(10);
            Request shortOne = simulation
                    .request("short")
                    .at(1 + part * chunk / 10)
                    .prompt(30)
                    .max(10);

            simulation.submit(longOne, shortOne).run();

            assertThat(shortOne.timeToFirstToken())
                    .as("arrival %d", shortOne.arrival)
                    .isLessThan(2 * chunk);
            assertThat(longOne.tokens()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aShortRequestThatArrivesWithALongPromptSharesAShortStepWithIt(boolean longOneFirst) {
        Simulation simulation =
                Simulation.of(SchedulerConfig.DEFAULT, SimulatedDevice.FAST).warm("model");
        Request longOne = simulation.request("long").prompt(6000);
        Request shortOne = simulation.request("short").prompt(30);

        simulation
                .submit(longOneFirst ? longOne : shortOne, longOneFirst ? shortOne : longOne)
                .run();

        assertThat(shortOne.firstTokenAt())
                .isEqualTo(simulation.launched.getFirst().predictedNanos());
        assertThat(simulation.launched.getFirst().shape().prefillTokens()).isLessThan(2048 / 2 + 30 + 1);
    }

    @Test
    void theOldestKeepsHalfOfTheRoomUnderAFloodOfShortOnes() {
        SimulatedDevice device = SimulatedDevice.FAST;
        Simulation simulation =
                Simulation.of(new TestConfig().batch(8).build(), device).warm("model");
        Request longOne = simulation.request("long").prompt(8000).max(1);
        simulation.submit(longOne);
        // twice the load that the machine can carry
        long every = device.alone(500, 1, 2048) / 2;
        for (int i = 0; i < 200; i++) {
            simulation.submit(
                    simulation.request("short" + i).at(i * every).prompt(500).max(1));
        }

        simulation.runUntil(() -> longOne.tokens() == 1);

        assertThat(longOne.timeToFirstToken()).isLessThan(5 * device.alone(8000, 1, 2048) / 2);
        assertThat(simulation.requests.stream()
                        .filter(request -> request.tokens() == 1)
                        .count())
                .isGreaterThan(5);
    }

    @Test
    void theOldestHasItsTurnEvenWhereAStepHasRoomForOneOnly() {
        SimulatedDevice device = SimulatedDevice.SLOW;
        Simulation simulation =
                Simulation.of(new TestConfig().batch(8).build(), device).warm("model");
        simulation.submit(simulation.request("stream").prompt(20).max(2000));
        simulation.iterate(5);
        Request longOne = simulation.request("long").prompt(300).max(1);
        simulation.submit(longOne);
        for (int i = 0; i < 200; i++) {
            long arrival = simulation.now() + 100 * MILLI * i;
            simulation.submit(
                    simulation.request("short" + i).at(arrival).prompt(30).max(1));
        }

        simulation.runUntil(() -> longOne.tokens() == 1);

        // 300 tokens in every second step, about ten at a time, of 0.1 s each
        assertThat(longOne.timeToFirstToken()).isLessThan(10_000 * MILLI);
    }

    @ParameterizedTest
    @CsvSource({"256, 1", "256, 64", "1024, 1", "1024, 64", "1500, 32", "4096, 1", "4096, 128", "37, 200"})
    void equalPromptsTogetherAreNotSlowerThanOneAfterTheOther(int prompt, int tokens) {
        for (SimulatedDevice device : devices()) {
            for (int count : new int[] {2, 4}) {
                assertThat(together(device, count, prompt, tokens))
                        .as("%d at once on %s", count, device)
                        .isLessThanOrEqualTo(oneByOne(device, count, prompt, tokens));
            }
        }
    }

    private static long together(SimulatedDevice device, int count, int prompt, int tokens) {
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, device).warm("model");
        for (int i = 0; i < count; i++) {
            simulation.submit(simulation.request("r" + i).prompt(prompt).max(tokens));
        }
        return lastToken(simulation.run());
    }

    private static long oneByOne(SimulatedDevice device, int count, int prompt, int tokens) {
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, device).warm("model");
        for (int i = 0; i < count; i++) {
            simulation
                    .submit(simulation.request("r" + i).prompt(prompt).max(tokens))
                    .run();
        }
        return lastToken(simulation);
    }

    private static long lastToken(Simulation simulation) {
        return simulation.requests.stream()
                .mapToLong(Request::lastTokenAt)
                .max()
                .orElseThrow();
    }

    /**
     * The bound: a request has its first token once everything as old as itself could have been served alone, seven
     * times over (prefill keeps a third of each step, the oldest one half of that, and a step more for rounding).
     */
    @Test
    void everyRequestHasItsFirstTokenInBoundedTime() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            SimulatedDevice device = random.nextBoolean() ? SimulatedDevice.FAST : SimulatedDevice.SLOW;
            Simulation simulation = Simulation.of(
                            new TestConfig().batch(1 + random.nextInt(8)).build(), device)
                    .warm("model");
            for (int i = 0; i < 30; i++) {
                simulation.submit(new Request("r" + i)
                        .at(random.nextLong(5000 * MILLI))
                        .prompt(1 + random.nextInt(random.nextInt(5000) + 1))
                        .max(1 + random.nextInt(60)));
            }
            simulation.run();
            List<Request> byAge = simulation.requests.stream()
                    .sorted(Comparator.comparingLong(request -> request.arrival))
                    .toList();
            long work = 0;
            for (Request request : byAge) {
                work += device.alone(request.prompt, request.maxNew, 2048);
                assertThat(request.timeToFirstToken())
                        .as("seed %d: %s", seed, request)
                        .isLessThan(7 * work + 2 * SchedulerConfig.DEFAULT_MAX_STEP_TIME.toNanos());
            }
        }
    }

    @Test
    void aPromptThatIsMostlyCachedCountsAsShort() {
        Simulation simulation = Simulation.of(
                        SchedulerConfig.DEFAULT,
                        SimulatedMemory.plenty().withPrefix(sequence -> sequence.promptTokens() > 20_000 ? 20_000 : 0),
                        SimulatedDevice.FAST)
                .warm("model");
        Request cold = simulation.request("cold").prompt(6000);
        Request cached = simulation.request("cached").prompt(20_040).expectedCached(20_000);

        simulation.submit(cold, cached).run();

        assertThat(cached.firstTokenAt()).isLessThan(cold.firstTokenAt());
        assertThat(cached.sequence().cachedTokens()).isEqualTo(20_000);
    }
}
