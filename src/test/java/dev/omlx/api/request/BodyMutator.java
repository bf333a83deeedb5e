package dev.omlx.api.request;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Breaks JSON bodies: half of them as JSON, by other values in wrong places, half as bytes. */
final class BodyMutator {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5",
            "1e308",
            "1e400",
            "-1e-400",
            "99999999999999999999999999999999",
            "2147483648",
            "9".repeat(400),
            "\"\"",
            "\"x\"",
            "\"\\u0000\"",
            "\"\\ud83d\\ude00\"",
            "\"half a pair\"",
            "\"deep\"",
            "\"huge\"",
            "\"none\"",
            "\"required\"",
            "[]",
            "{}",
            "[[]]",
            "[null]",
            "[{}]",
            "{\"\": null}",
            "{\"type\": \"function\"}",
            "{\"type\": \"text\", \"text\": null}");

    /** What no tree can hold, or should not, by the value that stands for it. */
    private static final Map<String, String> UNTAMED = Map.of(
            "\"half a pair\"", "\"a\\ud800\"",
            "\"deep\"", "[".repeat(2_000) + "]".repeat(2_000),
            "\"huge\"", "\"" + "huge ".repeat(8_000) + "\"");

    private final RandomGenerator random;

    BodyMutator(RandomGenerator random) {
        this.random = random;
    }

    byte[] mutate(String body) {
        if (random.nextBoolean()) {
            return mutateBytes(body.getBytes(StandardCharsets.UTF_8));
        }
        ObjectNode root = (ObjectNode) MAPPER.readTree(body);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            mutate(root);
        }
        String json = root.toString();
        for (Map.Entry<String, String> untamed : UNTAMED.entrySet()) {
            json = json.replace(untamed.getKey(), untamed.getValue());
        }
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** Replaces, removes or copies some value somewhere in the tree. */
    private void mutate(JsonNode root) {
        List<JsonNode> containers = new ArrayList<>();
        collect(root, containers);
        JsonNode container = containers.get(random.nextInt(containers.size()));
        JsonNode value = random.nextInt(4) == 0
                ? containers.get(random.nextInt(containers.size())).deepCopy()
                : MAPPER.readTree(VALUES.get(random.nextInt(VALUES.size())));
        if (container instanceof ObjectNode object) {
            List<String> names = List.copyOf(object.propertyNames());
            String name = names.isEmpty() ? "x" : names.get(random.nextInt(names.size()));
            if (random.nextInt(5) == 0) {
                object.remove(name);
            } else {
                object.set(name, value);
            }
        } else {
            ArrayNode array = (ArrayNode) container;
            array.insert(random.nextInt(array.size() + 1), value);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainer()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }

    /** Overwrites, drops, doubles or cuts bytes. */
    private byte[] mutateBytes(byte[] body) {
        byte[] bytes = body.clone();
        for (int i = random.nextInt(1, 5); i > 0 && bytes.length > 1; i--) {
            int at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(4)) {
                case 0 -> overwritten(bytes, at);
                case 1 -> joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at + 1, bytes.length));
                case 2 -> joined(Arrays.copyOf(bytes, at + 1), Arrays.copyOfRange(bytes, at, bytes.length));
                default -> random.nextInt(4) == 0 ? Arrays.copyOf(bytes, at) : overwritten(bytes, at);
            };
        }
        return bytes;
    }

    private byte[] overwritten(byte[] bytes, int at) {
        byte[] copy = bytes.clone();
        byte[] likely = "{}[]\",:\\0-e.ntf ".getBytes(StandardCharsets.UTF_8);
        copy[at] = random.nextBoolean() ? likely[random.nextInt(likely.length)] : (byte) random.nextInt(256);
        return copy;
    }

    private static byte[] joined(byte[] start, byte[] end) {
        byte[] whole = Arrays.copyOf(start, start.length + end.length);
        System.arraycopy(end, 0, whole, start.length, end.length);
        return whole;
    }
}
