package dev.omlx.cli;

import java.util.List;
import java.util.Locale;

/** Writes sizes for people. */
final class Sizes {
    private static final List<String> UNITS = List.of("B", "kB", "MB", "GB", "TB");

    private Sizes() {}

    /** In powers of 1000, such as {@code 1.5 GB}. */
    static String readable(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 999.5 && unit < UNITS.size() - 1) {
            value /= 1000;
            unit++;
        }
        String format = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, format, value, UNITS.get(unit));
    }
}
