package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A full queue refuses newcomers and says when to come back; draining refuses them for good. */
class QueueLimitTests {
    private final Simulation simulation =
            Simulation.of(new TestConfig().batch(2).queue(3).build(), SimulatedDevice.FAST);

    @Test
    void whatFindsNoPlaceInBatchOrQueueIsRefused() {
        for (int i = 0; i < 8; i++) {
            simulation.submit(simulation.request("r" + i));
        }
        simulation.run();

        assertThat(simulation.requests)
                .extracting(Request::accepted)
                .containsExactly(true, true, true, true, true, false, false, false);
        assertThat(simulation.requests).filteredOn(Request::accepted).allMatch(request -> request.tokens() == 10);
    }

    @Test
    void thereIsRoomAgainWhenTheQueueHasMoved() {
        for (int i = 0; i < 5; i++) {
            simulation.submit(simulation.request("r" + i));
        }
        Request refused = simulation.request("refused");
        simulation.submit(refused);
        simulation.iterate(30);
        Request later = simulation.request("later");
        simulation.submit(later).run();

        assertThat(refused.accepted()).isFalse();
        assertThat(later.tokens()).isEqualTo(10);
    }

    @Test
    void theRetryDelayFollowsTheMeasuredPace() {
        // each request takes about 4 seconds, two run at once
        for (int i = 0; i < 5; i++) {
            simulation.submit(simulation.request("r" + i).max(500));
        }
        for (int i = 0; i < 40; i++) {
            simulation.submit(
                    simulation.request("s" + i).at(1 + i * 2_200_000_000L).max(500));
        }
        simulation.runUntil(() -> simulation.requests.getLast().admission != null);
        simulation.submit(simulation.request("x"), simulation.request("y"), simulation.request("z"));
        Request refused = simulation.request("refused");
        simulation.submit(refused).run();

        assertThat(refused.admission).isInstanceOfSatisfying(Admission.QueueFull.class, full -> {
            assertThat(full.waiting()).isGreaterThanOrEqualTo(3);
            assertThat(full.retryAfter()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(30));
        });
    }

    @Test
    void drainingTakesNobodyNewAndFinishesTheRest() {
        Request running = simulation.request("running");
        Request waiting = simulation.request("waiting").at(1);
        Request third = simulation.request("third").at(2);
        simulation.submit(running, waiting, third);
        simulation.iterate(3);
        simulation.scheduler.drain();
        Request late = simulation.request("late");
        simulation.submit(late).run();

        assertThat(late.admission).isInstanceOf(Admission.Draining.class);
        assertThat(simulation.requests.subList(0, 3)).allMatch(request -> request.tokens() == 10);
        assertThat(simulation.scheduler.isIdle()).isTrue();
    }
}
