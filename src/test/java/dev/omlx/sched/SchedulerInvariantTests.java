package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What must hold whatever comes: thousands of random loads, each from a seed that a failure names. */
class SchedulerInvariantTests {
    private static final int LOADS = 2000;
    private static final List<Priority> PRIORITIES = List.of(Priority.values());

    @Test
    void everySequenceEndsOnceAndNothingIsLeft() {
        Map<String, Integer> happened = new TreeMap<>();
        for (long seed = 0; seed < LOADS; seed++) {
            Load load = new Load(seed);
            try {
                load.run();
                load.check();
                load.count(happened);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
        // or else the loads prove little
        assertThat(happened.keySet())
                .contains("STOPPED", "LENGTH", "ABORTED", "FAILED", "QueueFull", "TooLarge", "dropped", "preempted")
                .contains("copied", "suspected, then LENGTH", "suspected, then FAILED", "suspected, then ABORTED")
                .contains("shrunk", "resumed to the end", "aborted after preemption");
    }

    /** A machine, a configuration and a set of requests, all random. */
    private static final class Load {
        private final Random random;
        private final Simulation simulation;
        private final SimulatedMemory memory;
        private final boolean tight;
        private final boolean sharing;
        private final Map<Sequence, Integer> pending = new HashMap<>();

        Load(long seed) {
            random = new Random(seed);
            SimulatedDevice device = random.nextBoolean() ? SimulatedDevice.FAST : SimulatedDevice.SLOW;
            int chunk = 32 << random.nextInt(7);
            SchedulerConfig config = new TestConfig()
                    .batch(1 + random.nextInt(12))
                    .chunk(chunk)
                    .minPrefill(1 + random.nextInt(Math.min(32, chunk)))
                    .target(Duration.ofMillis(5L << random.nextInt(6)))
                    .queue(random.nextInt(30))
                    .build();
            int longest = 1 + random.nextInt(3000);
            tight = random.nextInt(3) > 0;
            long room = tight ? 1500 + random.nextInt(8000) : 1L << 40;
            memory = SimulatedMemory.ofTokens(room).withPrefix(this::prefix);
            sharing = random.nextInt(3) > 0;
            boolean noisy = random.nextBoolean();
            Random noise = new Random(seed);
            simulation =
                    new Simulation(config, memory, shape -> noisy ? device.nanos(shape, noise) : device.nanos(shape));
            if (random.nextInt(4) == 0) {
                simulation.inLockStep();
            }
            if (random.nextInt(4) == 0) {
                simulation
                        .failingStep(plan -> random.nextInt(300) == 0)
                        .failingBuild(plan -> random.nextInt(300) == 0 ? culprit(plan) : null);
            } else {
                simulation.failingStep(plan -> plan.work().stream().anyMatch(Request::poisons));
            }
            int models = 1 + random.nextInt(3);
            long span = random.nextInt(3) == 0 ? 0 : random.nextInt(20_000) * 1_000_000L;
            int requests = 1 + random.nextInt(16);
            for (int i = 0; i < requests; i++) {
                simulation.submit(shared(request(i, longest, models, span)));
            }
        }

        private Request request(int number, int longest, int models, long span) {
            int prompt = 1 + random.nextInt(random.nextInt(longest) + 1);
            Request request = new Request("r" + number)
                    .model("model-" + random.nextInt(models))
                    .priority(PRIORITIES.get(random.nextInt(PRIORITIES.size())))
                    .at(span == 0 ? 0 : random.nextLong(span))
                    .prompt(prompt)
                    .expectedCached(random.nextInt(prompt))
                    .max(random.nextInt(8) == 0 ? random.nextInt(2) : random.nextInt(100));
            if (random.nextBoolean()) {
                request.stopAfter(1 + random.nextInt(60));
            }
            if (random.nextInt(12) == 0) {
                request.poisonedAt(random.nextInt(prompt + 20));
            }
            if (random.nextInt(4) == 0) {
                request.abortAt(request.arrival + random.nextLong(span / 4 + 1));
            }
            return request;
        }

        /** Now and then a request has a part of its prompt in common with an earlier one. */
        private Request shared(Request request) {
            List<Request> leaders = simulation.requests.stream()
                    .filter(other -> other.model.equals(request.model)
                            && !request.priority.isAbove(other.priority)
                            && other.arrival <= request.arrival)
                    .toList();
            if (!leaders.isEmpty() && sharing) {
                Request leader = leaders.get(random.nextInt(leaders.size()));
                int most = Math.min(leader.prompt, request.prompt - 1);
                if (most > 0) {
                    request.awaits(leader, random.nextBoolean() ? most : 1 + random.nextInt(most));
                }
            }
            return request;
        }

        private Sequence culprit(StepPlan plan) {
            return plan.work().get(random.nextInt(plan.work().size())).sequence();
        }

        /** Now and then a part of the prompt, now and then only after a while. */
        private int prefix(Sequence sequence) {
            int left = pending.computeIfAbsent(sequence, s -> random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 0);
            if (left > 0) {
                pending.put(sequence, left - 1);
                return KvMemory.PENDING;
            }
            pending.remove(sequence);
            return random.nextBoolean() ? 0 : random.nextInt(sequence.knownTokens());
        }

        void run() {
            simulation.runUntil(this::disturb);
        }

        /** Caches fill up now and then, and memory comes and goes. */
        private boolean disturb() {
            if (tight && random.nextInt(100) == 0) {
                memory.takeAway(random.nextInt(1500));
            }
            if (random.nextInt(50) == 0) {
                memory.fillCache(random.nextInt(500));
            }
            return simulation.isOver();
        }

        void check() {
            for (Request request : simulation.requests) {
                assertThat(request.admission).as(request.toString()).isNotNull();
                assertThat(request.finishedReleases).as(request.toString()).isEqualTo(request.accepted() ? 1 : 0);
                if (request.accepted()) {
                    checkEnding(request);
                }
            }
            assertThat(memory.claims()).as("prefixes pinned").isZero();
            SchedulerStats stats = simulation.scheduler.stats();
            assertThat(stats.kvReservedBytes()).as("bytes reserved").isZero();
            assertThat(stats.running()).as("running").isZero();
            assertThat(stats.waiting()).as("waiting").isZero();
            assertThat(stats.tokensInFlight()).as("tokens in flight").isZero();
        }

        void count(Map<String, Integer> happened) {
            for (Request request : simulation.requests) {
                String ending = request.accepted()
                        ? String.valueOf(request.sequence().ending())
                        : String.valueOf(request.admission).replaceAll("\\[.*", "");
                happened.merge(ending, 1, Integer::sum);
                if (request.suspicions > 0) {
                    happened.merge("suspected, then " + ending, 1, Integer::sum);
                }
                if (request.preemptions > 0) {
                    boolean completed = request.sequence().ending() == Ending.LENGTH
                            || request.sequence().ending() == Ending.STOPPED;
                    happened.merge(completed ? "resumed to the end" : "aborted after preemption", 1, Integer::sum);
                }
            }
            SchedulerStats stats = simulation.scheduler.stats();
            simulation.launched.stream()
                    .flatMap(plan -> plan.work().stream())
                    .filter(work -> work.source() != null)
                    .forEach(work -> happened.merge("copied", 1, Integer::sum));
            happened.merge("steps", simulation.launched.size(), Integer::sum);
            happened.merge("dropped", (int) stats.droppedTokens(), Integer::sum);
            happened.merge("preempted", (int) stats.preemptions(), Integer::sum);
            happened.merge("shrunk", memory.shrunkBytes() > 0 ? 1 : 0, Integer::sum);
            happened.values().removeIf(times -> times == 0);
        }

        private void checkEnding(Request request) {
            Sequence sequence = request.sequence();
            switch (sequence.ending()) {
                case STOPPED ->
                    assertThat(request.tokens()).as(request.toString()).isEqualTo(request.stopAfter);
                case LENGTH ->
                    assertThat(request.tokens()).as(request.toString()).isEqualTo(request.maxNew);
                case ABORTED ->
                    assertThat(request.abortAt).as(request.toString()).isLessThan(Long.MAX_VALUE);
                case FAILED ->
                    assertThat(simulation.blamed().contains(sequence) != (request.failure != null))
                            .as("one reason to fail: " + request)
                            .isTrue();
                case null -> throw new AssertionError("has not ended: " + request);
            }
            assertThat(request.tokens()).as(request.toString()).isEqualTo(sequence.generatedTokens());
        }
    }
}
