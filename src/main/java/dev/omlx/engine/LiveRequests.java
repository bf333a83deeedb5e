package dev.omlx.engine;

import dev.omlx.engine.api.EngineException;
import dev.omlx.sched.Admission;
import dev.omlx.sched.Ending;
import dev.omlx.sched.Scheduler;
import dev.omlx.sched.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that have not ended, each with the sequences of its choices. What ends one choice of a request by force
 * ends all of them, with one error. Engine thread only.
 */
final class LiveRequests {
    private static final Logger LOG = LoggerFactory.getLogger(LiveRequests.class);

    private final Scheduler scheduler;
    private final Map<Answer, List<Sequence>> sequences = new LinkedHashMap<>();

    LiveRequests(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    boolean isEmpty() {
        return sequences.isEmpty();
    }

    /** Queues all choices of a request, or none of them; the answer hears which. */
    void add(Answer answer, List<Sequence> choices) {
        sequences.put(answer, choices);
        sharePrompt(choices);
        for (Sequence choice : choices) {
            Admission admission = scheduler.add(choice);
            if (!(admission instanceof Admission.Accepted)) {
                fail(answer, refusal(admission, answer.promptField()));
                return;
            }
        }
        answer.accepted();
    }

    /**
     * The first choice computes the prompt; the others copy all but its last token, which each samples from. Not where
     * the prompt itself is scored, since what is copied gives no log-probabilities.
     */
    private static void sharePrompt(List<Sequence> choices) {
        Sequence first = choices.getFirst();
        int shared = first.promptTokens() - 1;
        if (shared > 0 && !first.attachment(Generation.class).scoresPrompt()) {
            choices.stream().skip(1).forEach(choice -> choice.awaits(first, shared));
        }
    }

    private static EngineException refusal(Admission admission, String promptField) {
        return switch (admission) {
            case Admission.QueueFull full ->
                new EngineException.Overloaded("too many requests are waiting already", full.retryAfter());
            case Admission.TooLarge large ->
                new EngineException.InvalidRequest(promptField, large.failure().reason());
            case Admission.Draining draining -> new EngineException.Unavailable(EngineLoop.SHUTTING_DOWN);
            case Admission.Accepted accepted -> throw new IllegalArgumentException("not a refusal");
        };
    }

    /** Nobody wants the request any more. */
    void abort(Answer answer) {
        of(answer).forEach(scheduler::abort);
    }

    /** Nobody wants more of that choice. */
    void abort(Answer answer, int choice) {
        of(answer).stream().skip(choice).limit(1).forEach(scheduler::abort);
    }

    /** Ends the request with an error. */
    void fail(Answer answer, EngineException cause) {
        of(answer).forEach(sequence -> scheduler.finish(sequence, Ending.FAILED));
        sequences.remove(answer);
        answer.failed(cause);
    }

    /** Ends every request with that error. */
    void failAll(EngineException cause) {
        new ArrayList<>(sequences.keySet()).forEach(answer -> fail(answer, cause));
    }

    /** Tells every answer of its end when the scheduler's own books cannot be trusted any more. */
    void abandon(EngineException cause) {
        List<Answer> answers = List.copyOf(sequences.keySet());
        sequences.clear();
        for (Answer answer : answers) {
            try {
                answer.failed(cause);
            } catch (RuntimeException | Error e) {
                LOG.error("request {} could not be told of its end", answer, e);
            }
        }
    }

    /** Forgets a request whose choices have all ended. */
    void forgetIfOver(Answer answer) {
        if (of(answer).stream().allMatch(Sequence::finished)) {
            sequences.remove(answer);
        }
    }

    private List<Sequence> of(Answer answer) {
        return sequences.getOrDefault(answer, List.of());
    }
}
