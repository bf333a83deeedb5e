package dev.omlx.sched;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client of the simulation: what it asks for, and what it saw. */
final class Request {
    final String id;
    int number;
    String model = "model";
    Priority priority = Priority.NORMAL;
    long arrival;
    int prompt = 100;
    int expectedCached;
    int maxNew = 10;
    int stopAfter = Integer.MAX_VALUE;
    long abortAt = Long.MAX_VALUE;

    @Nullable
    Sequence sequence;

    @Nullable
    Admission admission;

    final List<Long> tokenTimes = new ArrayList<>();
    int finishedReleases;
    int preemptions;
    int suspicions;

    @Nullable
    Request leader;

    int sharedTokens;
    int poisonedAt = Integer.MAX_VALUE;

    @Nullable
    Failure failure;

    Request(String id) {
        this.id = id;
    }

    Request model(String key) {
        model = key;
        return this;
    }

    Request priority(Priority value) {
        priority = value;
        return this;
    }

    Request at(long nanos) {
        arrival = nanos;
        return this;
    }

    Request prompt(int tokens) {
        prompt = tokens;
        return this;
    }

    Request expectedCached(int tokens) {
        expectedCached = tokens;
        return this;
    }

    Request max(int tokens) {
        maxNew = tokens;
        return this;
    }

    /** Ends by itself after that many tokens. */
    Request stopAfter(int tokens) {
        stopAfter = tokens;
        return this;
    }

    Request abortAt(long nanos) {
        abortAt = nanos;
        return this;
    }

    /** Its first tokens are those of an earlier request. */
    Request awaits(Request earlier, int tokens) {
        leader = earlier;
        sharedTokens = tokens;
        return this;
    }

    /** Every step fails that computes this position of it. */
    Request poisonedAt(int position) {
        poisonedAt = position;
        return this;
    }

    /** Whether a step with that work fails for its sake. */
    static boolean poisons(Work work) {
        int position = work.sequence().attachment(Request.class).poisonedAt;
        return work.startPosition() <= position && position < work.endPosition();
    }

    Sequence sequence() {
        if (sequence == null) {
            throw new IllegalStateException(id + " was not submitted");
        }
        return sequence;
    }

    Failure failure() {
        if (failure == null) {
            throw new IllegalStateException(id + " did not fail for want of memory");
        }
        return failure;
    }

    boolean accepted() {
        return admission instanceof Admission.Accepted;
    }

    int tokens() {
        return tokenTimes.size();
    }

    long firstTokenAt() {
        return tokenTimes.getFirst();
    }

    long lastTokenAt() {
        return tokenTimes.getLast();
    }

    long timeToFirstToken() {
        return firstTokenAt() - arrival;
    }

    /** The longest time between two tokens that follow each other. */
    long longestGap() {
        long longest = 0;
        for (int i = 1; i < tokenTimes.size(); i++) {
            longest = Math.max(longest, tokenTimes.get(i) - tokenTimes.get(i - 1));
        }
        return longest;
    }

    @Override
    public String toString() {
        return id + " (arrival " + arrival + ", prompt " + prompt + ", max " + maxNew + ", stop after " + stopAfter
                + ", " + priority + ", " + tokens() + " tokens, " + sequence + ")";
    }
}
