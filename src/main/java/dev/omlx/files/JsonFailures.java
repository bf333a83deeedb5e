package dev.omlx.files;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** What is wrong with a JSON text; what the parser says of it is written for Java's programmers. */
public final class JsonFailures {
    private JsonFailures() {}

    /** As in "is not JSON at line 1, column 10: it ends too early". */
    public static String describe(JacksonException failure) {
        String what = failure instanceof StreamConstraintsException ? "goes beyond a limit" : "is not JSON";
        return what + place(failure) + ": " + reason(failure);
    }

    /** As in " at line 1, column 10"; empty where it is not known. */
    public static String place(JacksonException failure) {
        TokenStreamLocation at = failure.getLocation();
        if (at == null || at.getLineNr() < 1) {
            return "";
        }
        return " at line " + at.getLineNr() + (at.getColumnNr() < 1 ? "" : ", column " + at.getColumnNr());
    }

    /** As in "it ends too early", in one line and without the place. */
    public static String reason(JacksonException failure) {
        return switch (failure) {
            case UnexpectedEndOfInputException cut -> "it ends too early";
            case InputCoercionException number -> "a number is out of range";
            default -> plain(String.valueOf(failure.getOriginalMessage()));
        };
    }

    private static String plain(String said) {
        String line = withoutInternals(said).replaceAll("\\s*\\R\\s*", " ").strip();
        return line.isEmpty() ? "it cannot be parsed" : Character.toLowerCase(line.charAt(0)) + line.substring(1);
    }

    /** Ends before the first part of the sentence that names a class or setting, which stand in backquotes, or a source. */
    private static String withoutInternals(String said) {
        int quoted = said.indexOf('`');
        int source = said.indexOf("[Source");
        if (quoted < 0 && source < 0) {
            return said;
        }
        String before = said.substring(0, quoted < 0 || (source >= 0 && source < quoted) ? source : quoted);
        int open = openBracket(before);
        int end = open >= 0 ? open : Math.max(before.lastIndexOf(": "), before.lastIndexOf(", "));
        return end < 0 ? before : before.substring(0, end);
    }

    /** Where the innermost bracket stands that is not closed; -1 if all are. */
    private static int openBracket(String text) {
        int depth = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            depth += text.charAt(i) == ')' ? 1 : text.charAt(i) == '(' ? -1 : 0;
            if (depth < 0) {
                return i;
            }
        }
        return -1;
    }
}
