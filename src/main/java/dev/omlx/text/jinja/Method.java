package dev.omlx.text.jinja;

/** A method of Python's {@code str}. */
@FunctionalInterface
interface Method {
    Value call(Str self, Arguments arguments, Budget budget);
}
