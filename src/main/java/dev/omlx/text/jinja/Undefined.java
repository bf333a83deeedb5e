package dev.omlx.text.jinja;

import org.jspecify.annotations.Nullable;

/**
 * What a missing variable, attribute or element evaluates to: prints as nothing, is false and empty, and fails on
 * everything else.
 *
 * @param name what was looked for
 * @param owner where it was looked for, or null for a variable
 * @param hint the whole message, where name and owner don't tell
 */
record Undefined(
        String name, @Nullable Value owner, @Nullable String hint) implements Value {

    static Undefined variable(String name) {
        return new Undefined(name, null, null);
    }

    static Undefined attribute(Value owner, String name) {
        return new Undefined(name, owner, null);
    }

    static Undefined because(String hint) {
        return new Undefined("", null, hint);
    }

    /** The failure of using this value. */
    JinjaException failure() {
        if (hint != null) {
            return JinjaException.runtime(hint);
        }
        if (owner == null) {
            return JinjaException.runtime("'" + name + "' is undefined");
        }
        return JinjaException.runtime("A value of type '" + owner.typeName() + "' has no '" + name + "'");
    }

    @Override
    public String typeName() {
        return "Undefined";
    }
}
