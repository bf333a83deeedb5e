package dev.omlx.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads calls that are JSON: one object with name and arguments, an array of such, or only the arguments behind a header
 * that holds the name.
 */
final class JsonCallReader implements CallReader {
    private static final int MAX_HEADER = 300;
    private static final List<String> NAMES = List.of("name", "tool_name", "function");
    private static final List<String> ARGUMENTS = List.of("arguments", "parameters");

    private final @Nullable Pattern header;
    private final boolean wholeCalls;
    private final Predicate<String> declared;
    private final StringBuilder head = new StringBuilder();
    private final StringBuilder body = new StringBuilder();
    private final JsonScanner scanner = new JsonScanner();
    private @Nullable String id;
    private @Nullable String name;
    private boolean inBody;
    private boolean whole;

    /**
     * @param header what stands between mark and arguments, with a group {@code name} and perhaps a group {@code id};
     *     null where the calls are whole JSON
     * @param wholeCalls whether they may be whole JSON
     * @param declared whether a function of that name exists, for calls that are told from other JSON by it
     */
    private JsonCallReader(@Nullable Pattern header, boolean wholeCalls, Predicate<String> declared) {
        this.header = header;
        this.wholeCalls = wholeCalls;
        this.declared = declared;
    }

    /** Calls that hold their names. */
    static JsonCallReader ofCalls(DeclaredTools tools) {
        return new JsonCallReader(null, true, tools::has);
    }

    /** Arguments behind a header. */
    static JsonCallReader ofArguments(Pattern header) {
        return new JsonCallReader(header, false, name -> false);
    }

    /** Either. */
    static JsonCallReader ofBoth(Pattern header, DeclaredTools tools) {
        return new JsonCallReader(header, true, tools::has);
    }

    @Override
    public Step accept(char c) {
        return inBody ? body(c) : head(c);
    }

    private Step head(char c) {
        if (head.isEmpty() && Character.isWhitespace(c)) {
            return Step.MORE;
        }
        if (wholeCalls && head.isEmpty() && (c == '{' || c == '[')) {
            inBody = true;
            return body(c);
        }
        if (header == null || head.length() >= MAX_HEADER) {
            return Step.FAILED;
        }
        Matcher matcher = header.matcher(head);
        if (c == '{' && matcher.matches()) {
            name = matcher.group("name");
            id = header.namedGroups().containsKey("id") ? matcher.group("id") : null;
            inBody = true;
            return body(c);
        }
        head.append(c);
        matcher.reset();
        return matcher.matches() || matcher.hitEnd() ? Step.MORE : Step.FAILED;
    }

    private Step body(char c) {
        body.append(c);
        return switch (scanner.accept(c)) {
            case MORE -> Step.MORE;
            case FAILED -> Step.FAILED;
            case DONE -> {
                whole = true;
                yield Step.DONE;
            }
        };
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    @Override
    public boolean hasBegun() {
        return name != null || scanner.hasKey();
    }

    @Override
    public List<RawCall> calls() {
        JsonNode json = Json.read(body.toString());
        if (json == null) {
            return List.of();
        }
        if (name != null) {
            return List.of(new RawCall(id, name, json));
        }
        List<RawCall> calls = new ArrayList<>();
        for (JsonNode one : json.isArray() ? json : List.of(json)) {
            RawCall call = call(one);
            if (call != null) {
                calls.add(call);
            }
        }
        return calls;
    }

    private @Nullable RawCall call(JsonNode json) {
        JsonNode inner = json.path("function").isObject() ? json.path("function") : json;
        for (String field : NAMES) {
            if (inner.path(field).isString()) {
                return new RawCall(text(json.path("id")), inner.path(field).stringValue(), arguments(inner));
            }
        }
        // a function's name may be the key of its arguments
        if (json.isObject() && json.size() == 1) {
            Map.Entry<String, JsonNode> only = json.properties().iterator().next();
            return declared.test(only.getKey()) ? new RawCall(null, only.getKey(), only.getValue()) : null;
        }
        return null;
    }

    private static JsonNode arguments(JsonNode call) {
        for (String field : ARGUMENTS) {
            if (call.has(field)) {
                return call.get(field).isNull() ? JsonNodeFactory.instance.objectNode() : call.get(field);
            }
        }
        return JsonNodeFactory.instance.objectNode();
    }

    private static @Nullable String text(JsonNode node) {
        return node.isString() ? node.stringValue() : null;
    }
}
