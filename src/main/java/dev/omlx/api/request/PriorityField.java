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
 * {@code normal} or {@code low}, or a whole number of which, as in vLLM, the lower is the more urgent and 0 normal.
 */
public final class PriorityField {
    private static final String FIELD = "priority";
    private static final String HEADER = "X-Priority";
    private static final String PROBLEM = "must be high, normal or low, or an integer (lower goes first, 0 is normal)";

    private PriorityField() {}

    public static Priority read(JsonFields body, HttpHeaders headers) {
        JsonNode value = body.value(FIELD);
        String given = value == null ? headers.getFirst(HEADER) : value.isContainer() ? "" : value.asString();
        if (given == null) {
            return Priority.NORMAL;
        }
        Priority priority = parse(given);
        if (priority == null) {
            throw value == null
                    ? new ApiException(ApiError.invalid(HEADER, "the header " + HEADER + " " + PROBLEM))
                    : body.invalid(FIELD, PROBLEM);
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
