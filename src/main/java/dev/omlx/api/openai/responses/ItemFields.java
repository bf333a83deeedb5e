package dev.omlx.api.openai.responses;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.openai.MessageFields;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ToolCallFields;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The field {@code input}: a text, or items. */
final class ItemFields {
    static final String INPUT = "input";

    private static final Logger log = LoggerFactory.getLogger(ItemFields.class);
    private static final String MESSAGE = "message";
    private static final String REFERENCE = "item_reference";
    private static final String CONTENT = "content";

    /** Role on the wire to role of the engine. */
    private static final Map<String, String> ROLES =
            Map.of("system", "system", "developer", "system", "user", "user", "assistant", "assistant");

    private final Function<String, Optional<Item>> kept;
    private final List<Item> items = new ArrayList<>();
    private int ignored;

    private ItemFields(Function<String, Optional<Item>> kept) {
        this.kept = kept;
    }

    /**
     * The items in order; none if the field is absent. Those that only another server's tools or models understand are
     * left out.
     *
     * @param kept finds the item that a reference names
     */
    static List<Item> read(JsonFields body, Function<String, Optional<Item>> kept) {
        JsonNode input = body.value(INPUT);
        if (input != null && input.isString()) {
            return List.of(message(JsonNodeFactory.instance.objectNode(), "user", input.stringValue()));
        }
        if (input != null && !input.isArray()) {
            throw body.invalid(INPUT, "must be a string or an array of items");
        }
        ItemFields fields = new ItemFields(kept);
        body.objects(INPUT).forEach(fields::add);
        if (fields.ignored > 0) {
            log.warn("ignoring {} items of kinds that are not known", fields.ignored);
        }
        return fields.items;
    }

    private void add(JsonFields item) {
        String type = type(item);
        switch (type) {
            case MESSAGE -> items.add(message(item));
            case "function_call" -> items.add(call(item, "fc_", ToolCallFields.arguments(item)));
            case "custom_tool_call" -> items.add(call(item, "ctc_", input(item)));
            case "function_call_output" -> items.add(result(item, "fco_"));
            case "custom_tool_call_output" -> items.add(result(item, "ctco_"));
            case "reasoning" -> items.add(item(item.object(), "rs_", new Item.Thoughts(thoughts(item))));
            case REFERENCE -> {
                String id = item.requireString("id");
                items.add(kept.apply(id)
                        .orElseThrow(() -> item.invalid(
                                "id",
                                "names an item of a response that is not kept (any more); send the item itself")));
            }
            default -> ignored++;
        }
    }

    /** Messages and references may leave their type out. */
    private static String type(JsonFields item) {
        String type = item.string("type");
        if (type != null) {
            return type;
        }
        return !item.has("role") && item.has("id") ? REFERENCE : MESSAGE;
    }

    private static Item message(JsonFields item) {
        String given = item.requireString("role");
        String role = ROLES.get(given);
        if (role == null) {
            throw item.invalid("role", "must be one of assistant, developer, system, user");
        }
        String text = MessageFields.text(item, CONTENT);
        if (text == null) {
            throw item.invalid(CONTENT, "is required");
        }
        return item.object().get(CONTENT).isString()
                ? message(item.object(), given, text)
                : item(item.object(), "msg_", new Item.Message(role, text));
    }

    /** A message whose text is one string, which it is not where items are listed. */
    private static Item message(ObjectNode given, String role, String text) {
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        message.put("type", MESSAGE).setAll(given);
        boolean output = role.equals("assistant");
        ObjectNode part = message.put("role", role).putArray(CONTENT).addObject();
        part.put("type", output ? "output_text" : "input_text").put("text", text);
        if (output) {
            part.putArray("annotations");
            message.put("status", OutputItem.COMPLETED);
        }
        return item(message, "msg_", new Item.Message(String.valueOf(ROLES.get(role)), text));
    }

    private static Item call(JsonFields item, String prefix, String arguments) {
        return item(
                item.object(),
                prefix,
                new Item.Call(new ToolCall(item.requireString("call_id"), item.requireString("name"), arguments)));
    }

    /** Tools that take free text are shown as functions of one argument. */
    private static String input(JsonFields item) {
        return JsonMapper.shared().writeValueAsString(Map.of("input", item.requireString("input")));
    }

    private static Item result(JsonFields item, String prefix) {
        String text = MessageFields.text(item, "output");
        if (text == null) {
            throw item.invalid("output", "is required");
        }
        return item(item.object(), prefix, new Item.Result(item.requireString("call_id"), text));
    }

    /** What was thought in full, else what was told of it. */
    private static String thoughts(JsonFields item) {
        String full = texts(item, CONTENT);
        return full.isEmpty() ? texts(item, "summary") : full;
    }

    private static String texts(JsonFields item, String name) {
        return item.objects(name).stream()
                .map(part -> part.requireString("text"))
                .collect(Collectors.joining("\n"));
    }

    private static Item item(ObjectNode given, String prefix, Item.Part part) {
        @Nullable JsonNode named = given.get("id");
        boolean hasName =
                named != null && named.isString() && !named.stringValue().isEmpty();
        String id = hasName ? named.stringValue() : RequestId.random(prefix);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("type", MESSAGE).setAll(given);
        json.put("id", id);
        return new Item(id, part, json.toString());
    }
}
