package dev.omlx.api.request;

import java.io.Serial;
import tools.jackson.core.StreamReadConstraints;

/** What a parser takes at most. Jackson asks here, and would name its own settings in what it says. */
final class BodyLimits extends StreamReadConstraints {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int MAX_NUMBER = 1000;
    private static final int MAX_NAME = 50_000;

    /** @param maxDepth deepest nesting of arrays and objects */
    BodyLimits(int maxDepth) {
        super(maxDepth, Long.MAX_VALUE, Long.MAX_VALUE, MAX_NUMBER, Integer.MAX_VALUE, MAX_NAME);
    }

    @Override
    public void validateNestingDepth(int depth) {
        if (depth > getMaxNestingDepth()) {
            throw JsonBodyParser.invalid("the request body is nested deeper than %d levels (omlx.server.max-json-depth)"
                    .formatted(getMaxNestingDepth()));
        }
    }

    @Override
    public void validateNameLength(int length) {
        requireShort("name", length, MAX_NAME);
    }

    @Override
    public void validateIntegerLength(int length) {
        requireShort("number", length, MAX_NUMBER);
    }

    @Override
    public void validateFPLength(int length) {
        requireShort("number", length, MAX_NUMBER);
    }

    private static void requireShort(String what, int length, int most) {
        if (length > most) {
            throw JsonBodyParser.invalid(
                    "the request body holds a %s of more than %d characters".formatted(what, most));
        }
    }
}
