package dev.omlx.sched;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One prompt and its answer, as counters. The engine reads it; only this package changes it, on the engine thread.
 *
 * <p>Token positions, from 0:
 *
 * <pre>
 * |---- prompt ----|---- generated ----|- sampled in flight -|
 * |------------- known to the host ----|
 * |-- cached --|-- computed: KV is there, or a launched step will put it there --|
 * </pre>
 *
 * There are no phases in this picture: what is left to compute is always "all tokens minus computed ones", which is 1
 * for a sequence that decodes.
 */
public final class Sequence {
    /** The oldest first; a class counts as so much earlier or later an arrival. */
    static final Comparator<Sequence> BY_AGE = Comparator.<Sequence>comparingLong(sequence -> sequence.ageKey)
            .thenComparingLong(sequence -> sequence.ticket);

    /** The one with the least to compute first, within its class. */
    static final Comparator<Sequence> BY_SIZE = Comparator.comparing(Sequence::priority)
            .thenComparingInt(Sequence::expectedRemaining)
            .thenComparing(BY_AGE);

    /** The one to give up first: lowest class, then youngest. */
    static final Comparator<Sequence> BY_VALUE =
            Comparator.comparing(Sequence::priority, Comparator.reverseOrder()).thenComparing(BY_AGE.reversed());

    private final SequenceSpec spec;
    private final Object attachment;
    private final Suspicion suspicion = new Suspicion();

    private long ticket = -1;
    private long ageKey;
    private int placeInQueue;

    private SequenceState state = SequenceState.WAITING;
    private @Nullable Ending ending;
    private boolean started;
    private boolean prefixClaimed;
    private int cachedTokens;
    private int computedTokens;
    private int generatedTokens;
    private int samplesInFlight;
    private int stepsInFlight;

    private @Nullable Sequence leader;
    private int sharedTokens;
    private int launchedTokens;

    private int reservedTokens;
    private long reservedBytes;

    private boolean spoiled;

    /** @param attachment whatever the engine wants to find again; the scheduler never looks at it */
    public Sequence(SequenceSpec spec, Object attachment) {
        this.spec = spec;
        this.attachment = attachment;
    }

    /**
     * Lets the leader compute the first tokens, which both have in common: this sequence starts once the leader's KV
     * covers them, and takes a copy. If the leader goes before that, another one that waits for it takes its place. To be
     * called before {@link Scheduler#add}, and without effect if the leader was not accepted or has ended by then.
     *
     * @param leader of the same model, and of no lower priority
     * @param tokens that are the same in both prompts, at least 1 and fewer than this one has
     */
    public void awaits(Sequence leader, int tokens) {
        if (accepted() || tokens < 1 || tokens >= promptTokens() || tokens > leader.promptTokens()) {
            throw new IllegalArgumentException(this + " cannot await " + tokens + " tokens of " + leader);
        }
        if (!model().equals(leader.model()) || priority().isAbove(leader.priority())) {
            throw new IllegalArgumentException(
                    this + " cannot follow one of another model or a lower class: " + leader);
        }
        follow(leader, tokens);
    }

    public String id() {
        return spec.id();
    }

    public String model() {
        return spec.model();
    }

    public Priority priority() {
        return spec.priority();
    }

    public long arrivalNanos() {
        return spec.arrivalNanos();
    }

    public int promptTokens() {
        return spec.promptTokens();
    }

    public int maxNewTokens() {
        return spec.maxNewTokens();
    }

    /** What the engine attached. */
    public <T> T attachment(Class<T> type) {
        return type.cast(attachment);
    }

    public SequenceState state() {
        return state;
    }

    public boolean finished() {
        return state == SequenceState.FINISHED;
    }

    /** Why it ended; null while it lives. */
    public @Nullable Ending ending() {
        return ending;
    }

    /** Prompt tokens that the prefix cache supplied when the sequence first started. */
    public int cachedTokens() {
        return cachedTokens;
    }

    /** Tokens whose KV is there, or will be after the steps in flight. */
    public int computedTokens() {
        return computedTokens;
    }

    /** Tokens of the answer that were harvested. */
    public int generatedTokens() {
        return generatedTokens;
    }

    /** Tokens whose ids the host knows: the prompt and the harvested answer. A later position is on the device only. */
    public int knownTokens() {
        return spec.promptTokens() + generatedTokens;
    }

    /** Launched steps that work on it and were not harvested yet. */
    public int stepsInFlight() {
        return stepsInFlight;
    }

    /** Whether its KV cache cannot be trusted, for a step that worked on it failed. */
    public boolean isSpoiled() {
        return spoiled;
    }

    /** Whether it was in a step that failed, and has yet to show that it was not the reason. */
    public boolean isSuspect() {
        return suspicion.isActive();
    }

    @Override
    public String toString() {
        return spec.id() + " [" + state + ", prompt " + spec.promptTokens() + ", computed " + computedTokens
                + ", generated " + generatedTokens + ", in flight " + stepsInFlight + "]";
    }

    /** Tokens left to compute before the next one can be sampled. */
    int remainingTokens() {
        return knownTokens() + samplesInFlight - computedTokens;
    }

    /** {@link #remainingTokens} with the prefix cache's help, while it is not known yet how much that is. */
    int expectedRemaining() {
        if (prefixClaimed) {
            return remainingTokens();
        }
        if (leader != null) {
            return knownTokens() - sharedTokens;
        }
        return started ? knownTokens() : spec.promptTokens() - spec.expectedCachedTokens();
    }

    /** Whether a step may compute its next token: not when the steps in flight already bring the last one. */
    boolean canDecode() {
        return state == SequenceState.DECODE && generatedTokens + samplesInFlight < spec.maxNewTokens();
    }

    /** Whether its KV buffers have room for the next token. */
    boolean hasRoom() {
        return computedTokens < reservedTokens;
    }

    /** Tokens it has at the end if nothing stops it before. */
    int mostTokens() {
        return spec.promptTokens() + spec.maxNewTokens();
    }

    boolean running() {
        return state == SequenceState.PREFILL || state == SequenceState.DECODE;
    }

    boolean accepted() {
        return ticket >= 0;
    }

    boolean started() {
        return started;
    }

    boolean prefixClaimed() {
        return prefixClaimed;
    }

    int placeInQueue() {
        return placeInQueue;
    }

    int samplesInFlight() {
        return samplesInFlight;
    }

    /** Whose KV of the first {@link #sharedTokens} it copies when it starts; null once it has, and for most always. */
    @Nullable
    Sequence leader() {
        return leader;
    }

    int sharedTokens() {
        return sharedTokens;
    }

    /** Whether it must not start yet. */
    boolean isAwaiting() {
        return leader != null && !leader.covers(sharedTokens);
    }

    /** Whether others may copy the KV of its first tokens: it is there, or steps in flight bring it. */
    boolean covers(int tokens) {
        boolean holds = running() || (finished() && ending != Ending.FAILED);
        return holds && !spoiled && launchedTokens >= tokens;
    }

    void follow(@Nullable Sequence newLeader, int tokens) {
        leader = newLeader;
        sharedTokens = tokens;
    }

    /** Nobody computes a part of its prompt for it; one that has started already starts over. */
    void computeAlone() {
        follow(null, 0);
        if (running()) {
            prefixClaimed = false;
            computedTokens = 0;
        }
    }

    /** Takes what the leader supplies. */
    void claimFromLeader() {
        started = true;
        prefixClaimed = true;
        computedTokens = sharedTokens;
    }

    int reservedTokens() {
        return reservedTokens;
    }

    long reservedBytes() {
        return reservedBytes;
    }

    void accept(long ticket, long headStartNanos, int placeInQueue) {
        this.ticket = ticket;
        this.ageKey = spec.arrivalNanos() + spec.priority().rank() * headStartNanos;
        this.placeInQueue = placeInQueue;
    }

    void reserve(int tokens, long bytes) {
        reservedTokens = tokens;
        reservedBytes = bytes;
    }

    /** Leaves the queue. */
    void start() {
        become(SequenceState.PREFILL);
        prefixClaimed = false;
        computedTokens = 0;
        launchedTokens = 0;
        spoiled = false;
    }

    /** Takes what the prefix cache supplies. */
    void claimPrefix(int cached) {
        if (cached < 0 || cached >= knownTokens()) {
            throw new IllegalStateException(
                    cached + " cached tokens for " + this + "; the last known token is always computed");
        }
        if (!started) {
            cachedTokens = cached;
        }
        started = true;
        prefixClaimed = true;
        computedTokens = cached;
    }

    /** Whether nothing has happened to it since the work was planned. */
    boolean canLaunch(Work work) {
        return running()
                && leader == work.source()
                && work.startPosition() == computedTokens
                && work.tokenCount() <= remainingTokens();
    }

    void launch(Work work) {
        computedTokens += work.tokenCount();
        launchedTokens = computedTokens;
        stepsInFlight++;
        if (state == SequenceState.PREFILL && remainingTokens() == 0) {
            become(SequenceState.DECODE);
        }
        if (work.producesToken()) {
            samplesInFlight++;
        }
    }

    /** A step is over. Its token counts unless the sequence has ended. */
    void settle(Work work) {
        drop(work);
        if (work.producesToken() && !finished()) {
            generatedTokens++;
        }
    }

    /** A step is over that gave nothing. */
    void drop(Work work) {
        stepsInFlight--;
        if (work.producesToken()) {
            samplesInFlight--;
        }
    }

    /** A step that works on it failed, or builds on one that did. */
    void spoil() {
        spoiled = true;
    }

    Suspicion suspicion() {
        return suspicion;
    }

    /** Whether it has all it asked for, harvested. */
    boolean complete() {
        return !finished()
                && stepsInFlight == 0
                && generatedTokens == spec.maxNewTokens()
                && (spec.maxNewTokens() > 0 || state == SequenceState.DECODE);
    }

    void preempt() {
        become(SequenceState.PREEMPTED);
        dropUncopied();
        prefixClaimed = false;
        launchedTokens = 0;
    }

    void finish(Ending how) {
        become(SequenceState.FINISHED);
        dropUncopied();
        ending = how;
    }

    /** What it was to copy from its leader is not there. */
    private void dropUncopied() {
        if (leader != null) {
            computedTokens = launchedTokens;
        }
    }

    private void become(SequenceState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("cannot become " + next + ": " + this);
        }
        state = next;
    }
}
