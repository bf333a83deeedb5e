package dev.omlx.text.jinja;

/** A filter of templates. */
@FunctionalInterface
interface Filter {
    Value apply(Value input, Arguments arguments, Budget budget);
}
