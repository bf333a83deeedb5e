package dev.omlx.text.jinja;

import org.jspecify.annotations.Nullable;

/** The variables of a scope that is being executed; null in a slot means that the variable is missing. */
final class Scope {
    private final ScopeLayout layout;
    private final @Nullable Scope parent;
    private final @Nullable Value[] context;
    private final @Nullable Value[] slots;

    private Scope(ScopeLayout layout, @Nullable Scope parent, @Nullable Value[] context) {
        this.layout = layout;
        this.parent = parent;
        this.context = context;
        this.slots = new @Nullable Value[layout.size()];
        reset();
    }

    static Scope root(ScopeLayout layout, @Nullable Value[] context) {
        return new Scope(layout, null, context);
    }

    Scope outermost() {
        return parent == null ? this : parent.outermost();
    }

    Scope inner(ScopeLayout innerLayout) {
        return new Scope(innerLayout, this, context);
    }

    /** Gives all variables but the parameters their initial values, as at the start of each turn of a loop. */
    void reset() {
        for (int slot : layout.missing()) {
            slots[slot] = null;
        }
        for (ScopeLayout.Initial initial : layout.copied()) {
            slots[initial.slot()] = parent == null ? at(initial.source()) : parent.at(initial.source());
        }
    }

    /** The variable's value, or undefined. */
    Value read(Expression.Name name) {
        Value value = at(name.place());
        return value != null ? value : Undefined.variable(name.name());
    }

    private @Nullable Value at(Place place) {
        if (place.hops() == Place.CONTEXT) {
            return context[place.index()];
        }
        Scope scope = this;
        for (int i = 0; i < place.hops(); i++) {
            if (scope.parent == null) {
                throw new IllegalStateException("A variable is bound outside of every scope");
            }
            scope = scope.parent;
        }
        return scope.slots[place.index()];
    }

    /** Sets a variable of this scope; null makes it missing. */
    void write(Expression.Name name, @Nullable Value value) {
        slots[name.place().index()] = value;
    }

    /** Whether a variable of this scope has a value. */
    boolean has(Expression.Name name) {
        return slots[name.place().index()] != null;
    }
}
