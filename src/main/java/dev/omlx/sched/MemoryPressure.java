package dev.omlx.sched;

import java.util.List;

/**
 * What happens when KV memory runs out: caches shrink, then the least valuable sequences are preempted, and only a
 * sequence with nothing beside it fails.
 */
final class MemoryPressure {
    private final Lanes lanes;
    private final KvLedger kv;
    private final Departures departures;

    MemoryPressure(Lanes lanes, KvLedger kv, Departures departures) {
        this.lanes = lanes;
        this.kv = kv;
        this.departures = departures;
    }

    /**
     * Gives each ready row of the lane room for its next token. A row that stays without waits until those that were
     * preempted for it have left; one that cannot grow although it is alone fails.
     *
     * @return whether memory is short, so that nobody new should start
     */
    boolean relieve(StepBuilder step) {
        boolean tight = !kv.makeFree(0);
        if (tight) {
            departures.dropKept();
        }
        while (!kv.willFit(0) && lanes.running() > 1) {
            preemptOne();
        }
        List<Sequence> cramped = step.lane().growingRows().stream()
                .filter(row -> !row.hasRoom())
                .sorted(Sequence.BY_VALUE.reversed())
                .toList();
        for (Sequence row : cramped) {
            if (row.running() && !kv.reserve(row, row.computedTokens() + 1, 0)) {
                tight = true;
                makeWay(step, row);
            }
        }
        return tight;
    }

    private void makeWay(StepBuilder step, Sequence row) {
        int tokens = row.computedTokens() + 1;
        departures.dropKept();
        while (row.running() && !kv.willFit(kv.lacking(row, tokens))) {
            if (lanes.running() > 1) {
                preemptOne();
            } else {
                if (departures.isEmpty() && row.stepsInFlight() == 0) {
                    step.fail(kv.failure(row, tokens, kv.budget()));
                    departures.finish(row, Ending.FAILED);
                }
                return;
            }
        }
    }

    private void preemptOne() {
        Sequence victim = lanes.leastValuable();
        if (victim != null) {
            departures.preempt(victim);
        }
    }
}
