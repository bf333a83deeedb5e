package dev.omlx.sched;

/**
 * One model's sequences now.
 *
 * @param waiting that hold no memory, preempted ones included
 * @param prefilling that hold memory and still compute their prompt
 * @param decoding that give a token each step
 */
public record LaneStats(int waiting, int prefilling, int decoding) {
    /** Sequences that hold memory. */
    public int running() {
        return prefilling + decoding;
    }
}
