package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The variables of one scope while it is bound. A name that is read before anything assigns to it comes from the
 * template's context, one that is assigned to starts as its outer namesake or as missing; this is decided by the order
 * in the source, as Jinja does.
 */
final class Symbols {
    private enum Start {
        PARAMETER,
        MISSING,
        OUTER,
        CONTEXT
    }

    private final @Nullable Symbols parent;
    private final ContextNames context;
    private final Map<String, Start> starts = new LinkedHashMap<>();
    private final Set<String> stored = new HashSet<>();
    private final List<String> storedOrder = new ArrayList<>();
    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private final List<Expression.Name> references = new ArrayList<>();

    Symbols(@Nullable Symbols parent, ContextNames context) {
        this.parent = parent;
        this.context = context;
    }

    Symbols outermost() {
        return parent == null ? this : parent.outermost();
    }

    private boolean knows(String name) {
        return starts.containsKey(name) || (parent != null && parent.knows(name));
    }

    private boolean parentKnows(String name) {
        return parent != null && parent.knows(name);
    }

    /** A variable that whoever enters the scope sets. */
    void parameter(String name) {
        remember(name);
        starts.put(name, Start.PARAMETER);
    }

    void load(String name) {
        if (!knows(name)) {
            starts.put(name, Start.CONTEXT);
        }
    }

    void store(String name) {
        remember(name);
        starts.putIfAbsent(name, parentKnows(name) ? Start.OUTER : Start.MISSING);
    }

    private void remember(String name) {
        if (stored.add(name)) {
            storedOrder.add(name);
        }
    }

    /** Remembers a reference, to be bound when the scope is complete. */
    void refer(Expression.Name name) {
        references.add(name);
    }

    /** How many names have been assigned to so far. */
    int storedCount() {
        return storedOrder.size();
    }

    /** After a conditional: what only its branches assigned to may still have its earlier value. */
    void joinBranches(int storedBefore) {
        for (String name : storedOrder.subList(storedBefore, storedOrder.size())) {
            starts.put(name, parentKnows(name) ? Start.OUTER : Start.CONTEXT);
        }
    }

    /** Completes the scope: lays out its slots and binds the references made in it. */
    void complete(ScopeLayout layout) {
        storedOrder.stream()
                .sorted((a, b) -> Boolean.compare(isParameter(b), isParameter(a)))
                .forEach(name -> slots.put(name, slots.size()));
        List<Integer> missing = new ArrayList<>();
        List<ScopeLayout.Initial> copied = new ArrayList<>();
        slots.forEach((name, slot) -> {
            switch (starts.getOrDefault(name, Start.MISSING)) {
                case PARAMETER -> {}
                case MISSING -> missing.add(slot);
                case OUTER -> copied.add(new ScopeLayout.Initial(slot, outer(name)));
                case CONTEXT -> copied.add(new ScopeLayout.Initial(slot, context.place(name)));
            }
        });
        layout.fill(slots.size(), missing, copied);
        references.forEach(reference -> reference.bind(place(reference.name())));
    }

    private boolean isParameter(String name) {
        return starts.get(name) == Start.PARAMETER;
    }

    private Place outer(String name) {
        return parent == null ? context.place(name) : parent.place(name);
    }

    private Place place(String name) {
        Integer slot = slots.get(name);
        if (slot != null) {
            return new Place(0, slot);
        }
        return starts.containsKey(name) || parent == null
                ? context.place(name)
                : parent.place(name).from(1);
    }
}
