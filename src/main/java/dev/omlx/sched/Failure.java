package dev.omlx.sched;

/**
 * A sequence that does not fit into memory even with nothing beside it.
 *
 * @param tokens KV positions it needed
 * @param neededBytes memory those take
 * @param availableBytes memory there is for it alone, with every cache emptied
 */
public record Failure(Sequence sequence, int tokens, long neededBytes, long availableBytes) {
    /** The sizes, for people. */
    public String reason() {
        Mebibytes sizes = new Mebibytes(neededBytes, availableBytes);
        return "the KV cache of " + tokens + " tokens takes " + sizes.of(neededBytes) + ", but only "
                + sizes.of(availableBytes) + " can be made free; send a shorter prompt or raise omlx.memory.max";
    }
}
