package dev.omlx.text.jinja;

/**
 * A Python value as templates see it. Values never change once a template can see them, but for {@link Namespace} and
 * the loop and cycling helpers. Java's {@code equals} on them is
 * unspecified: Python's {@code ==} is {@link Comparison}.
 */
sealed interface Value
        permits None,
                Undefined,
                Bool,
                Int,
                Real,
                Str,
                Sequence,
                Dict,
                DictView,
                Range,
                Generator,
                Namespace,
                Cycler,
                Callable {

    /** The Python type's name, for messages. */
    String typeName();
}
