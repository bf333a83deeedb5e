package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A higher class is served first, a lower one not never. */
class PriorityTests {
    private static final long SECOND = 1_000_000_000;

    private final Simulation simulation = Simulation.of(
                    new TestConfig().batch(1).build(), SimulatedDevice.FAST)
            .warm("model");

    @Test
    void theHigherClassGoesFirst() {
        Request low = simulation.request("low").priority(Priority.LOW);
        Request normal = simulation.request("normal").priority(Priority.NORMAL);
        Request high = simulation.request("high").priority(Priority.HIGH);
        simulation.submit(low, normal, high).run();

        assertThat(inOrder()).containsExactly(high, normal, low);
    }

    @Test
    void withinAClassTheOldestGoesFirst() {
        Request first = simulation.request("first").at(1).prompt(500);
        Request second = simulation.request("second").at(2).prompt(20);
        simulation
                .submit(simulation.request("running").prompt(100), second, first)
                .run();

        assertThat(first.firstTokenAt()).isLessThan(second.firstTokenAt());
    }

    @Test
    void anOldRequestOfALowerClassGoesBeforeANewOneOfAHigherClass() {
        Request low = simulation.request("low").priority(Priority.LOW);
        Request soon = simulation.request("soon").at(20 * SECOND);
        Request late = simulation.request("late").at(40 * SECOND);
        // keeps the only place for 50 seconds
        simulation.submit(
                simulation.request("running").priority(Priority.HIGH).prompt(10).max(6100));
        simulation.submit(low, soon, late).run();

        assertThat(inOrder()).extracting(request -> request.id).containsExactly("running", "soon", "low", "late");
    }

    @Test
    void aHighPromptOvertakesALongOneThatIsUnderWay() {
        Simulation wide =
                Simulation.of(SchedulerConfig.DEFAULT, SimulatedDevice.FAST).warm("model");
        Request normal = wide.request("normal").prompt(8000);
        wide.submit(normal);
        wide.iterate(2);
        Request high = wide.request("high").prompt(8000).priority(Priority.HIGH);
        wide.submit(high).run();

        assertThat(high.firstTokenAt()).isLessThan(normal.firstTokenAt());
    }

    private List<Request> inOrder() {
        return simulation.requests.stream()
                .sorted(Comparator.comparingLong(Request::firstTokenAt))
                .toList();
    }
}
