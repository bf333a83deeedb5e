package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Running streams keep their rhythm while prompts arrive. */
class DecodeLatencyTests {
    private static final long MILLI = 1_000_000;

    static List<SimulatedDevice> devices() {
        return List.of(SimulatedDevice.FAST, SimulatedDevice.SLOW);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aLongPromptStretchesTheGapsOfARunningStreamByLessThanThree(SimulatedDevice device) {
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, device);
        Request stream = simulation.request("stream").prompt(50).max(2000);
        Request prompt = simulation.request("prompt").prompt(4000).max(20);
        simulation.submit(stream);
        simulation.iterate(40);
        long alone = stream.longestGap();
        simulation.submit(prompt.at(simulation.now()));

        simulation.runUntil(() -> prompt.tokens() == 20);

        assertThat(stream.longestGap()).isLessThanOrEqualTo(3 * alone);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aRunningStreamKeepsAThirdOfItsPaceBesideManyPrompts(SimulatedDevice device) {
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, device).warm("model");
        Request stream = simulation.request("stream").prompt(50).max(600);
        simulation.submit(stream);
        simulation.iterate(20);
        long started = simulation.now();
        int before = stream.tokens();
        for (int i = 0; i < 8; i++) {
            simulation.submit(simulation.request("prompt" + i).prompt(3000).max(1));
        }

        simulation.iterate(200);

        double pace = (stream.tokens() - before)
                * (double) device.nanos(new StepShape(1, 200, 0, 0))
                / (simulation.now() - started);
        assertThat(simulation.scheduler.stats().prefilling()).isPositive();
        assertThat(pace).isBetween(1 / 3.0, 1.0);
    }

    @Test
    void theTargetDecidesWhereItLeavesRoomForBoth() {
        SchedulerConfig config = new TestConfig().target(Duration.ofMillis(15)).build();
        SimulatedDevice device = SimulatedDevice.FAST;
        Simulation simulation = Simulation.of(config, device).warm("model");
        simulation.submit(simulation.request("stream").prompt(50).max(1000));
        simulation.iterate(10);
        simulation.submit(simulation.request("prompt").prompt(2000).max(1));
        int before = simulation.launched.size();

        simulation.runUntil(
                () -> simulation.scheduler.stats().prefilling() == 0 && simulation.launched.size() > before + 5);

        List<Double> millis = mixedSteps(simulation).stream()
                .map(step -> device.nanos(step.shape()) / 1e6)
                .toList();
        assertThat(millis).hasSizeGreaterThan(20).allMatch(time -> time < 16);
        assertThat(millis.stream().mapToDouble(time -> time).average().orElseThrow())
                .isGreaterThan(13.5);
    }

    @Test
    void prefillGetsAThirdOfTheTimeWhereDecodingAloneMissesTheTarget() {
        SchedulerConfig config = new TestConfig().target(Duration.ofMillis(10)).build();
        SimulatedDevice device = SimulatedDevice.SLOW;
        Simulation simulation = Simulation.of(config, device).warm("model");
        simulation.submit(simulation.request("stream").prompt(50).max(1000));
        simulation.iterate(10);
        Request prompt = simulation.request("prompt").prompt(300).max(1);
        simulation.submit(prompt);

        simulation.runUntil(() -> prompt.tokens() == 1);

        List<Double> slowdowns = mixedSteps(simulation).stream()
                .map(step -> device.nanos(step.shape())
                        / (double) device.nanos(new StepShape(1, step.shape().decodeContext(), 0, 0)))
                .toList();
        assertThat(slowdowns.subList(0, slowdowns.size() - 1))
                .hasSizeGreaterThan(10)
                .allMatch(slowdown -> slowdown > 1.1 && slowdown < 1.6);
    }

    @Test
    void everyStepHoldsTheTargetAsFarAsItCan() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            SimulatedDevice device = random.nextBoolean() ? SimulatedDevice.FAST : SimulatedDevice.SLOW;
            SchedulerConfig config = new TestConfig()
                    .target(Duration.ofMillis(10L << random.nextInt(5)))
                    .batch(1 + random.nextInt(16))
                    .build();
            Simulation simulation = Simulation.of(config, device).warm("model");
            simulation.rule(plan -> checkTime(plan, config, device));
            for (int i = 0; i < 20; i++) {
                simulation.submit(new Request("r" + i)
                        .at(random.nextLong(10_000 * MILLI))
                        .prompt(1 + random.nextInt(4000))
                        .max(1 + random.nextInt(100)));
            }
            try {
                simulation.run();
            } catch (AssertionError failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aNoisyMachineThatIsNotKnownYetHoldsTheTargetAlmostAlways(SimulatedDevice device) {
        int[] steps = new int[2];
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Simulation simulation = new Simulation(
                    SchedulerConfig.DEFAULT, SimulatedMemory.plenty(), shape -> device.nanos(shape, random));
            for (int i = 0; i < 20; i++) {
                simulation.submit(new Request("r" + i)
                        .at(random.nextLong(10_000 * MILLI))
                        .prompt(1 + random.nextInt(4000))
                        .max(1 + random.nextInt(200)));
            }
            simulation.run();
            for (StepPlan step : mixedSteps(simulation)) {
                steps[device.nanos(step.shape()) <= 1.3 * allowed(step, simulation.config, device) ? 0 : 1]++;
            }
        }

        assertThat(steps[1]).as("%d held it", steps[0]).isLessThan(steps[0] / 100);
    }

    private static void checkTime(StepPlan plan, SchedulerConfig config, SimulatedDevice device) {
        StepShape shape = plan.shape();
        if (shape.decodeRows() > 0 && shape.prefillTokens() > config.minPrefillTokens()) {
            long allowed = allowed(plan, config, device);
            Simulation.require(device.nanos(shape) <= 1.2 * allowed, "longer than " + allowed, plan);
        }
    }

    private static long allowed(StepPlan plan, SchedulerConfig config, SimulatedDevice device) {
        StepShape shape = plan.shape();
        long decode = device.nanos(new StepShape(shape.decodeRows(), shape.decodeContext(), 0, 0));
        return decode + config.prefillNanos(decode);
    }

    private static List<StepPlan> mixedSteps(Simulation simulation) {
        return simulation.launched.stream()
                .filter(step -> step.shape().decodeRows() > 0 && step.shape().prefillTokens() > 0)
                .toList();
    }
}
