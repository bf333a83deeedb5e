package dev.omlx.text.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The variables that a template reads from its context, each with a slot. */
final class ContextNames {
    private final Map<String, Integer> slots = new LinkedHashMap<>();

    Place place(String name) {
        return Place.context(slots.computeIfAbsent(name, unused -> slots.size()));
    }

    List<String> names() {
        return List.copyOf(slots.keySet());
    }
}
