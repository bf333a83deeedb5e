package dev.omlx.text.jinja;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The code of a macro or of a call block's body.
 *
 * @param name the macro's name, or null for a call block
 * @param defaults of the last parameters
 * @param caller the variable {@code caller} where the body uses it, else null; the next two likewise
 */
record MacroCode(
        @Nullable String name,
        List<Expression.Name> parameters,
        List<Expression> defaults,
        Expression.@Nullable Name caller,
        Expression.@Nullable Name namedRest,
        Expression.@Nullable Name positionalRest,
        Statement.Block body) {

    /** The default of a parameter, or null where it has none. */
    @Nullable
    Expression defaultOf(int parameter) {
        int index = parameter - (parameters.size() - defaults.size());
        return index < 0 ? null : defaults.get(index);
    }
}
