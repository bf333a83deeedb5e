package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, once per template, where each variable lives, so that rendering needs no lookup by name. Also refuses
 * unknown filters and tests (within an {@code if} only their use fails) and trees that are too high to evaluate.
 */
final class Binder {
    private final ContextNames context = new ContextNames();
    private final Nesting height = new Nesting(Limits.TREE_HEIGHT);

    /** Scopes inside of the one that is being read, to be bound when that one is complete. */
    private List<Runnable> inner = new ArrayList<>();

    private int line = 1;

    private Binder() {}

    /** Binds a template; returns the names it reads from its context, by slot. */
    static List<String> bind(Statement.Block template) {
        Binder binder = new Binder();
        Symbols root = new Symbols(null, binder.context);
        binder.statements(template.body(), root, false);
        binder.complete(root, template.layout());
        return binder.context.names();
    }

    private void complete(Symbols symbols, ScopeLayout layout) {
        symbols.complete(layout);
        List<Runnable> scopes = inner;
        inner = new ArrayList<>();
        for (Runnable scope : scopes) {
            height.enter(line);
            scope.run();
            height.leave();
        }
    }

    /** Binds a scope inside of another when that one is complete. */
    private void later(Symbols outer, ScopeLayout layout, Consumer<Symbols> reading) {
        inner.add(() -> {
            Symbols symbols = new Symbols(outer, context);
            reading.accept(symbols);
            complete(symbols, layout);
        });
    }

    private void block(Symbols outer, Statement.Block block) {
        later(outer, block.layout(), symbols -> statements(block.body(), symbols, false));
    }

    private void statements(List<Statement> statements, Symbols symbols, boolean lenient) {
        height.enter(line);
        for (Statement statement : statements) {
            statement(statement, symbols, lenient);
        }
        height.leave();
    }

    private void statement(Statement statement, Symbols symbols, boolean lenient) {
        switch (statement) {
            case Statement.Text text -> {}
            case Statement.Print print -> {
                line = print.line();
                expression(print.expression(), symbols, lenient);
            }
            case Statement.If conditional -> conditional(conditional, symbols);
            case Statement.For loop -> loop(loop, symbols, lenient);
            case Statement.Set set -> {
                line = set.line();
                expression(set.value(), symbols, lenient);
                target(set.target(), symbols);
            }
            case Statement.SetBlock set -> {
                line = set.line();
                target(set.target(), symbols);
                later(symbols, set.body().layout(), own -> {
                    statements(set.body().body(), own, false);
                    if (set.filters() != null) {
                        expression(set.filters(), own, false);
                    }
                });
            }
            case Statement.FilterBlock block -> filterBlock(block, symbols);
            case Statement.MacroDefinition macro -> {
                line = macro.line();
                store(macro.target(), symbols);
                macro(macro.code(), symbols);
            }
            case Statement.CallBlock call -> {
                line = call.line();
                expression(call.call(), symbols, lenient);
                macro(call.body(), symbols);
            }
            case Statement.With with -> with(with, symbols, lenient);
            case Statement.Scoped scoped -> block(scoped.isolated() ? symbols.outermost() : symbols, scoped.block());
            case Statement.Break end -> {}
            case Statement.Continue next -> {}
        }
    }

    private void conditional(Statement.If conditional, Symbols symbols) {
        Statement.Branch first = conditional.branches().get(0);
        line = first.line();
        expression(first.test(), symbols, true);
        int storedBefore = symbols.storedCount();
        statements(first.body(), symbols, true);
        for (Statement.Branch branch :
                conditional.branches().subList(1, conditional.branches().size())) {
            line = branch.line();
            expression(branch.test(), symbols, true);
            statements(branch.body(), symbols, true);
        }
        statements(conditional.otherwise(), symbols, true);
        symbols.joinBranches(storedBefore);
    }

    private void loop(Statement.For loop, Symbols symbols, boolean lenient) {
        line = loop.line();
        expression(loop.iterable(), symbols, lenient);
        if (loop.filter() != null) {
            Statement.Filter filter = loop.filter();
            later(symbols, filter.layout(), own -> {
                parameters(loop.target(), own);
                expression(filter.test(), own, false);
            });
        }
        later(symbols, loop.body().layout(), own -> {
            parameters(loop.target(), own);
            if (loop.loop() != null) {
                parameter(loop.loop(), own);
            }
            statements(loop.body().body(), own, false);
        });
        block(symbols, loop.otherwise());
    }

    private void filterBlock(Statement.FilterBlock block, Symbols symbols) {
        line = block.line();
        // Jinja looks at the filters' arguments twice, first as part of the outer scope.
        expression(block.filters(), symbols, true);
        later(symbols, block.body().layout(), own -> {
            statements(block.body().body(), own, false);
            expression(block.filters(), own, false);
        });
    }

    private void with(Statement.With with, Symbols symbols, boolean lenient) {
        line = with.line();
        with.values().forEach(value -> expression(value, symbols, lenient));
        later(symbols, with.body().layout(), own -> {
            with.targets().forEach(target -> parameters(target, own));
            statements(with.body().body(), own, false);
        });
    }

    private void macro(MacroCode code, Symbols symbols) {
        later(symbols, code.body().layout(), own -> {
            code.parameters().forEach(parameter -> parameter(parameter, own));
            parameter(code.caller(), own);
            parameter(code.namedRest(), own);
            parameter(code.positionalRest(), own);
            code.defaults().forEach(value -> expression(value, own, false));
            statements(code.body().body(), own, false);
        });
    }

    private static void parameter(Expression.@Nullable Name name, Symbols symbols) {
        if (name != null) {
            symbols.parameter(name.name());
            symbols.refer(name);
        }
    }

    private static void parameters(Target target, Symbols symbols) {
        switch (target) {
            case Target.Variable variable -> parameter(variable.name(), symbols);
            case Target.NamespaceAttribute attribute -> load(attribute.namespace(), symbols);
            case Target.Unpacking unpacking -> unpacking.targets().forEach(part -> parameters(part, symbols));
        }
    }

    private static void target(Target target, Symbols symbols) {
        switch (target) {
            case Target.Variable variable -> store(variable.name(), symbols);
            case Target.NamespaceAttribute attribute -> load(attribute.namespace(), symbols);
            case Target.Unpacking unpacking -> unpacking.targets().forEach(part -> target(part, symbols));
        }
    }

    private static void store(Expression.Name name, Symbols symbols) {
        symbols.store(name.name());
        symbols.refer(name);
    }

    private static void load(Expression.Name name, Symbols symbols) {
        symbols.load(name.name());
        symbols.refer(name);
    }

    private void expression(Expression expression, Symbols symbols, boolean lenient) {
        height.enter(line);
        boolean lenientParts = lenient;
        switch (expression) {
            case Expression.Name name -> load(name, symbols);
            case Expression.FilterCall filter -> requireFilter(filter, lenient);
            case Expression.TestCall test -> requireTest(test, lenient);
            case Expression.Conditional conditional -> lenientParts = true;
            default -> {}
        }
        for (Expression part : expression.parts()) {
            expression(part, symbols, lenientParts);
        }
        height.leave();
    }

    private static void requireFilter(Expression.FilterCall filter, boolean lenient) {
        if (!lenient && !BuiltinFilters.exists(filter.name())) {
            throw JinjaException.syntax("The filter '" + filter.name() + "' is unknown", filter.line());
        }
    }

    private static void requireTest(Expression.TestCall test, boolean lenient) {
        if (!lenient && !BuiltinTests.exists(test.name())) {
            throw JinjaException.syntax("The test '" + test.name() + "' is unknown", test.line());
        }
    }
}
