package dev.omlx.api.openai.responses;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import tools.jackson.databind.util.RawValue;

/**
 * A part of a list of items.
 *
 * @param data the items, the last one first unless the client asks otherwise
 * @param hasMore whether the list goes on behind it
 */
record ItemPage(
        String object,
        List<RawValue> data,
        @Nullable String firstId,
        @Nullable String lastId,
        boolean hasMore) {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MOST = 100;

    /**
     * The part that the query asks for by {@code limit}, {@code order} and {@code after}.
     *
     * @throws ApiException if one of these is wrong
     */
    static ItemPage of(List<Item> all, MultiValueMap<String, String> query) {
        List<Item> ordered = ascending(query.getFirst("order")) ? all : all.reversed();
        int from = from(ordered, query.getFirst("after"));
        int end = Math.min(ordered.size(), from + limit(query.getFirst("limit")));
        List<Item> page = ordered.subList(from, end);
        return new ItemPage(
                "list",
                page.stream().map(item -> new RawValue(item.json())).toList(),
                page.isEmpty() ? null : page.getFirst().id(),
                page.isEmpty() ? null : page.getLast().id(),
                end < ordered.size());
    }

    private static boolean ascending(@Nullable String order) {
        if (order == null || order.equals("desc")) {
            return false;
        }
        if (!order.equals("asc")) {
            throw invalid("order", "must be asc or desc");
        }
        return true;
    }

    private static int from(List<Item> items, @Nullable String after) {
        if (after == null) {
            return 0;
        }
        return 1
                + IntStream.range(0, items.size())
                        .filter(i -> items.get(i).id().equals(after))
                        .findFirst()
                        .orElseThrow(() -> invalid("after", "names no item of this response's input"));
    }

    private static int limit(@Nullable String given) {
        if (given == null) {
            return DEFAULT_LIMIT;
        }
        if (!given.matches("\\d{1,3}") || Integer.parseInt(given) < 1 || Integer.parseInt(given) > MOST) {
            throw invalid("limit", "must be an integer between 1 and " + MOST);
        }
        return Integer.parseInt(given);
    }

    private static ApiException invalid(String parameter, String problem) {
        return new ApiException(ApiError.invalid(parameter, "'" + parameter + "' " + problem));
    }
}
