package dev.omlx.text.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The variables that a template reads from its context, each with a slot. */
final class ContextNames {
    private final Map<String, Integer> slots = new LinkedHashMap<>();

    Place place(String name) {
        slots.putIfAbsent(name, slots.size());
        return Place.context(slots.getOrDefault(name, 0));
    }

    List<String> names() {
        return List.copyOf(slots.keySet());
    }
}
