package dev.omlx.text.jinja;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a compiled template. Immutable but for the scopes that {@link Binder} fills in. */
sealed interface Statement {

    record Text(String text) implements Statement {}

    record Print(Expression expression, int line) implements Statement {}

    record If(List<Branch> branches, List<Statement> otherwise) implements Statement {}

    record Branch(Expression test, List<Statement> body, int line) {}

    /** Statements with their own variables. */
    record Block(List<Statement> body, ScopeLayout layout) {}

    /**
     * A loop.
     *
     * @param filter the test that elements must pass, in a scope of its own, or null
     * @param loop the variable {@code loop} where the body refers to it, else null
     */
    record For(
            Target target,
            Expression iterable,
            @Nullable Filter filter,
            Block body,
            Block otherwise,
            boolean recursive,
            Expression.@Nullable Name loop,
            int line)
            implements Statement {}

    record Filter(Expression test, ScopeLayout layout) {}

    record Set(Target target, Expression value, int line) implements Statement {}

    /** {@code set} with a body; the filters are applied to its text. */
    record SetBlock(Target target, Expression.@Nullable FilterCall filters, Block body, int line)
            implements Statement {}

    record FilterBlock(Expression.FilterCall filters, Block body, int line) implements Statement {}

    record MacroDefinition(Expression.Name target, MacroCode code, int line) implements Statement {}

    /** A call whose callee gets the body as the macro {@code caller}. */
    record CallBlock(Expression.Call call, MacroCode body, int line) implements Statement {}

    record With(List<Target> targets, List<Expression> values, Block body, int line) implements Statement {}

    /**
     * A body in a scope of its own, such as that of {@code generation} or a template block.
     *
     * @param isolated whether it sees the outermost variables only
     */
    record Scoped(Block block, boolean isolated) implements Statement {}

    record Break() implements Statement {}

    record Continue() implements Statement {}
}
