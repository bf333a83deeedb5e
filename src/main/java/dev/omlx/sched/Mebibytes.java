package dev.omlx.sched;

import java.util.Locale;

/** Writes two amounts of memory for people, so that the sentence that compares them is seen to be true. */
public final class Mebibytes {
    /** They tell single bytes apart. */
    private static final int MOST_DECIMALS = 7;

    private final int decimals;

    /** Takes as many decimals as the two amounts need to look different, if they are. */
    public Mebibytes(long one, long other) {
        int enough = 0;
        while (enough < MOST_DECIMALS && write(one, enough).equals(write(other, enough))) {
            enough++;
        }
        decimals = one == other ? 0 : enough;
    }

    /** Such as {@code 640 MiB}; of two amounts the larger never looks smaller. */
    public String of(long bytes) {
        return write(bytes, decimals);
    }

    private static String write(long bytes, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f MiB", bytes / (double) (1 << 20));
    }
}
