package dev.omlx.sched;

/** Gives a step to one suspect alone. */
final class SoloPlanner {
    private final SchedulerConfig config;
    private final AdmissionGate gate;
    private final PrefixClaims prefixes;

    SoloPlanner(SchedulerConfig config, AdmissionGate gate, PrefixClaims prefixes) {
        this.config = config;
        this.gate = gate;
        this.prefixes = prefixes;
    }

    /**
     * Leaves the step empty if no suspect can go on now.
     *
     * @param step is empty
     * @param limitNanos what the step may take
     */
    void plan(StepBuilder step, long limitNanos) {
        boolean first = true;
        for (Sequence suspect : step.lane().quarantine().inTurn()) {
            if (ready(step, suspect, first)) {
                add(step, suspect, limitNanos);
            }
            if (!step.isEmpty()) {
                return;
            }
            first = false;
        }
    }

    private boolean ready(StepBuilder step, Sequence suspect, boolean first) {
        return (suspect.running() || gate.admit(step, suspect, first)) && prefixes.settle(suspect);
    }

    private void add(StepBuilder step, Sequence suspect, long limitNanos) {
        if (suspect.state() == SequenceState.PREFILL) {
            PrefillBudget budget = new PrefillBudget(config, step, limitNanos, suspect.computedTokens());
            step.addChunk(suspect, budget.share(suspect));
        } else if (suspect.canDecode() && suspect.hasRoom()) {
            step.addRow(suspect);
        }
    }
}
