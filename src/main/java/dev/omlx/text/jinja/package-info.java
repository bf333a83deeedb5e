/**
 * Renders Jinja chat templates with Python semantics: the syntax, filters, tests and printed forms are those of Python's
 * Jinja as the model publishers' tools set it up (immutable sandbox, trimmed blocks, loop controls). Templates reach
 * nothing but the data given to them and run under limits. Public are {@link dev.omlx.text.jinja.JinjaTemplate},
 * {@link dev.omlx.text.jinja.RenderOptions} and {@link dev.omlx.text.jinja.JinjaException}; the chat template loader of
 * {@code dev.omlx.text} is the intended caller.
 */
@NullMarked
package dev.omlx.text.jinja;

import org.jspecify.annotations.NullMarked;
