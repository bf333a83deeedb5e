package dev.omlx.sched;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Steps that were launched and are not over, the oldest first. */
final class StepsInFlight {
    private final Deque<StepPlan> steps = new ArrayDeque<>();

    Collection<StepPlan> all() {
        return Collections.unmodifiableCollection(steps);
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    void add(StepPlan plan) {
        steps.addLast(plan);
    }

    /**
     * The oldest one is over.
     *
     * @throws IllegalStateException if it is another one
     */
    void remove(StepPlan plan) {
        StepPlan oldest = steps.peekFirst();
        if (oldest == null || oldest.number() != plan.number()) {
            throw new IllegalStateException("step " + plan.number() + " is not the oldest in flight");
        }
        steps.removeFirst();
    }

    /** Takes off those that build on what the failed one should have computed. */
    List<StepPlan> removeBuiltOn(StepPlan failed) {
        Set<Sequence> spoiled = new HashSet<>(failed.sequences());
        List<StepPlan> voided = new ArrayList<>();
        for (Iterator<StepPlan> later = steps.iterator(); later.hasNext(); ) {
            StepPlan step = later.next();
            if (step.work().stream().anyMatch(work -> work.buildsOn(spoiled))) {
                later.remove();
                voided.add(step);
                spoiled.addAll(step.sequences());
            }
        }
        return voided;
    }

    int tokens() {
        return steps.stream().mapToInt(step -> step.shape().tokens()).sum();
    }

    int count() {
        return steps.size();
    }
}
