package dev.omlx.text.jinja;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The C library's {@code strftime} in its "C" locale, applied to a local time without zone as Python's {@code now()} is. */
final class Strftime {
    private Strftime() {}

    static String format(String format, LocalDateTime time, ZoneId zone) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at++);
            if (c != '%' || at == format.length()) {
                out.append(c);
                continue;
            }
            char flag = format.charAt(at);
            boolean flagged = "-_0^#".indexOf(flag) >= 0 && at + 1 < format.length();
            char directive = format.charAt(flagged ? at + 1 : at);
            String text = directive(directive, time, zone);
            if (text == null) {
                out.append('%');
                continue;
            }
            out.append(flagged ? reflag(text, flag) : text);
            at += flagged ? 2 : 1;
        }
        return out.toString();
    }

    /** Applies the flag that replaces a number's padding, or changes the case of a name. */
    private static String reflag(String text, char flag) {
        if (flag == '^' || flag == '#') {
            return text.toUpperCase(Locale.ROOT);
        }
        int digits = 0;
        while (digits < text.length() - 1 && (text.charAt(digits) == '0' || text.charAt(digits) == ' ')) {
            digits++;
        }
        String bare = text.substring(digits);
        return switch (flag) {
            case '-' -> bare;
            case '_' -> " ".repeat(digits) + bare;
            default -> "0".repeat(digits) + bare;
        };
    }

    private static @Nullable String directive(char directive, LocalDateTime time, ZoneId zone) {
        return switch (directive) {
            case 'a', 'A', 'b', 'h', 'B', 'p', 'P' -> name(directive, time);
            case 'd' -> padded(time.getDayOfMonth(), 2, '0');
            case 'e' -> padded(time.getDayOfMonth(), 2, ' ');
            case 'm' -> padded(time.getMonthValue(), 2, '0');
            case 'y' -> padded(time.getYear() % 100, 2, '0');
            case 'Y' -> String.valueOf(time.getYear());
            case 'C' -> padded(time.getYear() / 100, 2, '0');
            case 'H' -> padded(time.getHour(), 2, '0');
            case 'k' -> padded(time.getHour(), 2, ' ');
            case 'I' -> padded(time.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2, '0');
            case 'l' -> padded(time.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2, ' ');
            case 'M' -> padded(time.getMinute(), 2, '0');
            case 'S' -> padded(time.getSecond(), 2, '0');
            case 'f' -> padded(time.get(ChronoField.MICRO_OF_SECOND), 6, '0');
            case 'j' -> padded(time.getDayOfYear(), 3, '0');
            case 's' ->
                String.valueOf(time.truncatedTo(ChronoUnit.SECONDS).atZone(zone).toEpochSecond());
            case 'u', 'w', 'U', 'W', 'V', 'G', 'g' -> week(directive, time);
            case 'c' -> format("%a %b %e %H:%M:%S %Y", time, zone);
            case 'x', 'D' -> format("%m/%d/%y", time, zone);
            case 'X', 'T' -> format("%H:%M:%S", time, zone);
            case 'F' -> format("%Y-%m-%d", time, zone);
            case 'R' -> format("%H:%M", time, zone);
            case 'r' -> format("%I:%M:%S %p", time, zone);
            case 'n' -> "\n";
            case 't' -> "\t";
            case '%' -> "%";
            // Python's now() has no zone, so these are empty.
            case 'z', 'Z' -> "";
            default -> null;
        };
    }

    private static String name(char directive, LocalDateTime time) {
        String pattern = switch (directive) {
            case 'a' -> "EEE";
            case 'A' -> "EEEE";
            case 'B' -> "MMMM";
            case 'p', 'P' -> "a";
            default -> "MMM";
        };
        String name = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(time);
        return directive == 'P' ? name.toLowerCase(Locale.ROOT) : name;
    }

    private static String week(char directive, LocalDateTime time) {
        int day = time.getDayOfWeek().getValue();
        int dayOfYear = time.getDayOfYear() - 1;
        return switch (directive) {
            case 'u' -> String.valueOf(day);
            case 'w' -> String.valueOf(day % 7);
            case 'U' -> padded((dayOfYear + 7 - day % 7) / 7, 2, '0');
            case 'W' -> padded((dayOfYear + 7 - (day + 6) % 7) / 7, 2, '0');
            case 'V' -> padded(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, '0');
            case 'g' -> padded(time.get(IsoFields.WEEK_BASED_YEAR) % 100, 2, '0');
            default -> String.valueOf(time.get(IsoFields.WEEK_BASED_YEAR));
        };
    }

    private static String padded(int value, int width, char padding) {
        String digits = String.valueOf(value);
        return String.valueOf(padding).repeat(Math.max(0, width - digits.length())) + digits;
    }
}
