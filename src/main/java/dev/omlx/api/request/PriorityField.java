package dev.omlx.api.request;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.engine.api.Priority;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.JsonNode;

/**
 * How urgent a request is: its field {@code priority}, else the header {@code X-Priority}. Both take {@code high},
 * {@code normal} or {@code low}, or a whole number: as in vLLM the lower is the more urgent, but there are three classes,
 * below 0, 0 and above 0.
 */
public final class PriorityField {
    private static final String FIELD = "priority";
    private static final String HEADER = "X-Priority";
    private static final String PROBLEM =
            "must be high, normal or low, or an integer (below 0 is high, 0 is normal, above 0 is low)";

    private PriorityField() {}

    /** Both are read, so that a mistake in the header shows even where the field wins. */
    public static Priority read(JsonFields body, HttpHeaders headers) {
        Priority ofHeader = header(headers.getFirst(HEADER));
        JsonNode value = body.value(FIELD);
        if (value == null) {
            return ofHeader;
        }
        Priority ofBody = value.isContainer() ? null : parse(value.asString());
        if (ofBody == null) {
            throw body.invalid(FIELD, PROBLEM);
        }
        return ofBody;
    }

    private static Priority header(@Nullable String given) {
        Priority priority = given == null ? Priority.NORMAL : parse(given);
        if (priority == null) {
            throw new ApiException(ApiError.invalid(HEADER, "the header " + HEADER + " " + PROBLEM));
        }
        return priority;
    }

    private static @Nullable Priority parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "high" -> Priority.HIGH;
            case "normal" -> Priority.NORMAL;
            case "low" -> Priority.LOW;
            default -> ofNumber(text);
        };
    }

    private static @Nullable Priority ofNumber(String text) {
        try {
            return switch (Integer.signum(Integer.parseInt(text))) {
                case -1 -> Priority.HIGH;
                case 0 -> Priority.NORMAL;
                default -> Priority.LOW;
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
