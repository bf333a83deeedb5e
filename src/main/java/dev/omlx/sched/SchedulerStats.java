package dev.omlx.sched;

import java.time.Duration;
import java.util.Map;

/**
 * A snapshot for metrics.
 *
 * @param models each model's sequences
 * @param departing sequences that have ended or were preempted and are not released yet
 * @param stepsInFlight launched and not harvested
 * @param tokensInFlight tokens that those steps compute
 * @param preemptions since the start
 * @param droppedTokens sampled for sequences that had ended by then, since the start
 * @param kvReservedBytes KV memory that sequences hold
 * @param kvBudgetBytes KV memory that they may hold now
 * @param queueDelay how long a newcomer will probably wait before it starts
 */
public record SchedulerStats(
        Map<String, LaneStats> models,
        int departing,
        int stepsInFlight,
        int tokensInFlight,
        long preemptions,
        long droppedTokens,
        long kvReservedBytes,
        long kvBudgetBytes,
        Duration queueDelay) {

    public SchedulerStats {
        models = Map.copyOf(models);
    }

    /** Sequences that hold no memory, over all models. */
    public int waiting() {
        return models.values().stream().mapToInt(LaneStats::waiting).sum();
    }

    /** Sequences that hold memory, over all models. */
    public int running() {
        return models.values().stream().mapToInt(LaneStats::running).sum();
    }

    /** The part of {@link #running} that still computes its prompt. */
    public int prefilling() {
        return models.values().stream().mapToInt(LaneStats::prefilling).sum();
    }
}
