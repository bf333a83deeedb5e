package dev.omlx.testsupport;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.omlx.api.openapi.OpenApiDocument;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the OpenAPI document promises, and what breaks the promise. */
public final class ApiContract {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final Pattern VARIABLE = Pattern.compile("\\{[^}]*}");
    private static final String JSON = "application/json";

    private final JsonNode document = MAPPER.valueToTree(OpenApiDocument.read());
    /** The same, where answers have no members but those described. */
    private final JsonNode closed = close(document.deepCopy());

    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    public JsonNode document() {
        return document;
    }

    /** Method and path of each operation, without the names of variables. */
    public Set<String> routes() {
        Set<String> routes = new TreeSet<>();
        document.get("paths")
                .propertyStream()
                .forEach(path ->
                        path.getValue().propertyNames().forEach(method -> routes.add(route(method, path.getKey()))));
        return routes;
    }

    /** A method and a path whose variables have no names. */
    public static String route(String method, String path) {
        return method.toUpperCase(Locale.ROOT) + " " + VARIABLE.matcher(path).replaceAll("{}");
    }

    /** Where in the document the operation stands that such a request is for. */
    public Optional<String> operation(String method, String path) {
        String plain = path.replaceAll("/{2,}", "/");
        String verb = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
        return document.get("paths")
                .propertyStream()
                .filter(entry -> entry.getValue().has(verb) && matches(entry.getKey(), plain))
                .map(entry -> "/paths/" + entry.getKey().replace("/", "~1") + "/" + verb)
                .findFirst();
    }

    private static boolean matches(String template, String path) {
        String regex = VARIABLE.matcher(template).replaceAll("\\\\E.*\\\\Q");
        return path.matches("\\Q" + regex + "\\E");
    }

    /** Names of the fields of a request's body. */
    public Set<String> fields(String operation) {
        return fields(body(operation));
    }

    /** Names of the members of an object, those of its parts included. */
    private Set<String> fields(JsonNode schema) {
        Set<String> fields = new TreeSet<>(schema.path("properties").propertyNames());
        schema.path("allOf").forEach(part -> fields.addAll(fields(part)));
        schema.path("anyOf").forEach(part -> fields.addAll(fields(part)));
        if (schema.has("$ref")) {
            fields.addAll(fields(document.at(schema.path("$ref").stringValue().substring(1))));
        }
        return fields;
    }

    private JsonNode body(String operation) {
        return document.at(operation + "/requestBody/content/application~1json/schema");
    }

    /** What the document has against a request's body; nothing where it describes none. */
    public List<String> violations(String operation, JsonNode body) {
        JsonNode content = body(operation);
        return content.isMissingNode() ? List.of() : validate(operation + "/request", document, content, body);
    }

    /**
     * What the document has against an answer.
     *
     * @param type its media type, without parameters
     * @param body the answer, or one event or line of it; null if it is not JSON
     */
    public List<String> violations(String operation, int status, String type, @Nullable JsonNode body) {
        JsonNode answers = closed.at(operation + "/responses");
        String known = answers.has(Integer.toString(status)) ? Integer.toString(status) : "default";
        if (status < 400 && known.equals("default")) {
            return List.of("status " + status + " is not described");
        }
        JsonNode media = resolve(answers.get(known)).path("content").path(type);
        if (media.isMissingNode()) {
            return List.of("status " + status + " with " + type + " is not described");
        }
        return body == null || !(type.equals(JSON) || type.endsWith("stream") || type.endsWith("ndjson"))
                ? List.of()
                : validate(operation + "/" + known + "/" + type, closed, media.get("schema"), body);
    }

    private JsonNode resolve(JsonNode node) {
        JsonNode reference = node.get("$ref");
        return reference == null ? node : closed.at(reference.stringValue().substring(1));
    }

    private List<String> validate(String key, JsonNode from, JsonNode schema, JsonNode body) {
        Schema compiled = schemas.computeIfAbsent(key, any -> {
            ObjectNode root = (ObjectNode) schema.deepCopy();
            root.set("components", from.get("components"));
            return SCHEMAS.getSchema(root);
        });
        return compiled.validate(body).stream().map(Object::toString).toList();
    }

    /** Whatever is not described is forbidden. */
    private static JsonNode close(JsonNode node) {
        if (node instanceof ObjectNode object && object.path("properties").isObject()) {
            object.putIfAbsent("additionalProperties", MAPPER.getNodeFactory().booleanNode(false));
        }
        List<JsonNode> children = new ArrayList<>();
        node.forEach(children::add);
        children.forEach(ApiContract::close);
        return node;
    }

    /**
     * The body as the server takes it: null is as good as absent, and 16.0 as 16. The validator itself fails at whole
     * numbers that are written as floats and are beyond 64 bits.
     */
    public static JsonNode taken(JsonNode body) {
        if (body instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                JsonNode value = Objects.requireNonNull(object.get(name));
                if (value.isNull()) {
                    object.remove(name);
                } else {
                    object.set(name, taken(value));
                }
            }
        } else if (body instanceof ArrayNode array) {
            IntStream.range(0, array.size()).forEach(i -> array.set(i, taken(array.get(i))));
        } else if (body.isDouble() && body.doubleValue() == Math.rint(body.doubleValue())) {
            return MAPPER.getNodeFactory().numberNode(new BigDecimal(body.doubleValue()).toBigIntegerExact());
        }
        return body;
    }
}
