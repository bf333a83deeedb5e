package dev.omlx.text.jinja;

/**
 * Where a variable's value is while rendering.
 *
 * @param hops how many scopes out, or {@link #CONTEXT} for the variables given to the template
 * @param index the slot there
 */
record Place(int hops, int index) {
    static final int CONTEXT = -1;
    static final Place UNBOUND = new Place(CONTEXT, -1);

    static Place context(int index) {
        return new Place(CONTEXT, index);
    }

    /** The same place seen from a scope so many levels further in. */
    Place from(int levels) {
        return hops == CONTEXT ? this : new Place(hops + levels, index);
    }
}
