package dev.omlx.engine;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.sampling.SamplingParameters;
import dev.omlx.sampling.SequenceSampling;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of a sequence: its tokens, its KV cache and sampling state, and where its answer goes. Attached to
 * the scheduler's {@link dev.omlx.sched.Sequence}; engine thread only.
 */
final class Generation {
    private final Answer answer;
    private final int choice;
    private final SamplingParameters parameters;
    private final @Nullable ThinkingBudget thinking;
    private final int topLogprobs;
    private final boolean scoresPrompt;

    private final int promptLength;
    private int[] tokens;
    private int length;
    /** The first one has no log-probability. */
    private int scoredTokens = 1;

    @Nullable
    SequenceCache cache;

    @Nullable
    SequenceSampling sampling;

    /** Where the newest token stands while only the device knows it. */
    @Nullable
    DeviceToken newest;

    /**
     * @param topLogprobs likeliest tokens to report; negative reports no log-probabilities
     * @param scoresPrompt whether the prompt's own tokens get log-probabilities too
     * @param thinking null where it may think for as long as it likes
     */
    Generation(
            Answer answer,
            int choice,
            int[] prompt,
            SamplingParameters parameters,
            int topLogprobs,
            boolean scoresPrompt,
            @Nullable ThinkingBudget thinking) {
        this.answer = answer;
        this.choice = choice;
        this.parameters = parameters;
        this.topLogprobs = topLogprobs;
        this.scoresPrompt = scoresPrompt;
        this.thinking = thinking;
        this.tokens = prompt;
        this.length = prompt.length;
        this.promptLength = prompt.length;
    }

    Answer answer() {
        return answer;
    }

    SamplingParameters parameters() {
        return parameters;
    }

    int topLogprobs() {
        return topLogprobs;
    }

    /** Whether log-probabilities of the prompt's own tokens are wanted, so that it must be computed and not copied. */
    boolean scoresPrompt() {
        return scoresPrompt;
    }

    /** How many of the prompt's tokens, from its start, need no log-probability any more. */
    int scoredTokens() {
        return scoredTokens;
    }

    /** Takes log-probabilities of the prompt's tokens; those that come again, after a preemption, are dropped. */
    void score(PromptScores scores) {
        if (scores.position() > scoredTokens) {
            throw new IllegalStateException(
                    "the log-probability of prompt token " + scoredTokens + " of " + promptLength + " is missing");
        }
        for (int i = scoredTokens - scores.position(); i < scores.rows().size(); i++) {
            answer.scored(choice, scores.rows().get(i));
            scoredTokens++;
        }
    }

    /** @throws IllegalStateException if the host does not know it yet */
    int token(int position) {
        if (position >= length) {
            throw new IllegalStateException("token " + position + " of " + length + " is not known");
        }
        return tokens[position];
    }

    /** The token that must come next, whatever the model says; negative if that is left to the model. */
    int forcedToken() {
        return thinking == null ? ThinkingBudget.FREE : thinking.forcedToken();
    }

    /** Whether the token under way must be known before it is clear who chooses the one behind it. */
    boolean decidesNext() {
        return thinking != null && thinking.decidesNext();
    }

    int[] promptTokens() {
        return Arrays.copyOf(tokens, promptLength);
    }

    /** The part of the answer that the host knows; all of it when the sequence starts again after preemption. */
    int[] answerTokens() {
        return Arrays.copyOfRange(tokens, promptLength, length);
    }

    /**
     * Takes a token of the answer.
     *
     * @return whether it ends the answer; such a token is no part of it
     */
    boolean accept(int token, @Nullable RowLogprobs logprobs) {
        if (parameters.endTokens().contains(token)) {
            return true;
        }
        if (thinking != null) {
            thinking.accept(token);
        }
        if (length == tokens.length) {
            tokens = Arrays.copyOf(tokens, Math.max(16, length * 2));
        }
        tokens[length++] = token;
        answer.token(choice, token, logprobs);
        return false;
    }

    void finished(FinishReason reason) {
        answer.finished(choice, reason);
    }

    /** Frees KV cache and sampling state. */
    void release() {
        if (cache != null) {
            cache.close();
            cache = null;
        }
        if (sampling != null) {
            sampling.close();
            sampling = null;
        }
        newest = null;
    }

    /**
     * A token that a step under way samples.
     *
     * @param row its place in that step's tokens
     */
    record DeviceToken(MlxModelRunner.Step step, int row) {}
}
