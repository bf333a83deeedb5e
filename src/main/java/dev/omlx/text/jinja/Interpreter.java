package dev.omlx.text.jinja;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes statements. One for each rendering, used by one thread. */
final class Interpreter {
    /** How execution goes on after a statement. */
    private enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    private final Budget budget;
    private final Evaluator evaluator;

    Interpreter(Budget budget) {
        this.budget = budget;
        this.evaluator = new Evaluator(budget);
    }

    Evaluator evaluator() {
        return evaluator;
    }

    /** Executes statements for the text they make. */
    String capture(List<Statement> body, Scope scope) {
        TextOutput out = new TextOutput(budget);
        execute(body, scope, out);
        return out.toString();
    }

    private Flow execute(List<Statement> body, Scope scope, TextOutput out) {
        budget.enter();
        Flow flow = Flow.NEXT;
        for (int i = 0; i < body.size() && flow == Flow.NEXT; i++) {
            budget.step();
            flow = execute(body.get(i), scope, out);
        }
        budget.leave();
        return flow;
    }

    private Flow execute(Statement statement, Scope scope, TextOutput out) {
        switch (statement) {
            case Statement.Text text -> out.append(text.text());
            case Statement.Print print -> print(print, scope, out);
            case Statement.If conditional -> {
                return conditional(conditional, scope, out);
            }
            case Statement.Set set -> {
                evaluator.reach(set.line());
                checkNamespaces(set.target(), scope);
                assign(set.target(), evaluator.evaluate(set.value(), scope), scope);
            }
            case Statement.For loop -> {
                return loop(loop, scope, out);
            }
            case Statement.SetBlock set -> {
                return setBlock(set, scope);
            }
            case Statement.FilterBlock block -> {
                return filterBlock(block, scope, out);
            }
            case Statement.MacroDefinition macro -> scope.write(macro.target(), new Macro(macro.code(), scope, this));
            case Statement.CallBlock block -> callBlock(block, scope, out);
            case Statement.With with -> {
                return with(with, scope, out);
            }
            case Statement.Scoped scoped -> {
                Scope outer = scoped.isolated() ? scope.outermost() : scope;
                return execute(scoped.block().body(), outer.inner(scoped.block().layout()), out);
            }
            case Statement.Break end -> {
                return Flow.BREAK;
            }
            case Statement.Continue next -> {
                return Flow.CONTINUE;
            }
        }
        return Flow.NEXT;
    }

    private void print(Statement.Print print, Scope scope, TextOutput out) {
        evaluator.reach(print.line());
        out.append(PythonText.str(evaluator.evaluate(print.expression(), scope), budget));
    }

    private void callBlock(Statement.CallBlock block, Scope scope, TextOutput out) {
        evaluator.reach(block.line());
        Value result = evaluator.call(block.call(), scope, new Macro(block.body(), scope, this));
        out.append(PythonText.str(result, budget));
    }

    private Flow conditional(Statement.If conditional, Scope scope, TextOutput out) {
        for (Statement.Branch branch : conditional.branches()) {
            evaluator.reach(branch.line());
            if (Truth.of(evaluator.evaluate(branch.test(), scope))) {
                return execute(branch.body(), scope, out);
            }
        }
        return execute(conditional.otherwise(), scope, out);
    }

    private Flow setBlock(Statement.SetBlock set, Scope scope) {
        Scope inner = scope.inner(set.body().layout());
        TextOutput captured = new TextOutput(budget);
        Flow flow = execute(set.body().body(), inner, captured);
        if (flow == Flow.NEXT) {
            evaluator.reach(set.line());
            Value text = Str.of(captured.toString());
            assign(set.target(), set.filters() == null ? text : evaluator.filter(set.filters(), inner, text), scope);
        }
        return flow;
    }

    private Flow filterBlock(Statement.FilterBlock block, Scope scope, TextOutput out) {
        Scope inner = scope.inner(block.body().layout());
        TextOutput captured = new TextOutput(budget);
        Flow flow = execute(block.body().body(), inner, captured);
        if (flow == Flow.NEXT) {
            evaluator.reach(block.line());
            Value filtered = evaluator.filter(block.filters(), inner, Str.of(captured.toString()));
            out.append(PythonText.str(filtered, budget));
        }
        return flow;
    }

    private Flow with(Statement.With with, Scope scope, TextOutput out) {
        evaluator.reach(with.line());
        Scope inner = scope.inner(with.body().layout());
        for (int i = 0; i < with.targets().size(); i++) {
            assign(with.targets().get(i), evaluator.evaluate(with.values().get(i), scope), inner);
        }
        return execute(with.body().body(), inner, out);
    }

    private Flow loop(Statement.For loop, Scope scope, TextOutput out) {
        evaluator.reach(loop.line());
        Value iterable = evaluator.evaluate(loop.iterable(), scope);
        if (loop.recursive()) {
            out.append(recurse(loop, iterable, scope, 0).text());
            return Flow.NEXT;
        }
        return run(loop, iterable, scope, out, 0);
    }

    private Str recurse(Statement.For loop, Value iterable, Scope scope, int depth) {
        budget.enter();
        TextOutput out = new TextOutput(budget);
        run(loop, iterable, scope, out, depth);
        budget.leave();
        return Str.of(out.toString());
    }

    private Flow run(Statement.For loop, Value iterable, Scope outer, TextOutput out, int depth) {
        LoopState state = new LoopState(
                iterable,
                elements(loop, iterable, outer),
                loop.filter() != null,
                depth,
                loop.recursive() ? (value, level) -> recurse(loop, value, outer, level) : null,
                budget);
        Scope scope = outer.inner(loop.body().layout());
        boolean completed = false;
        Value element = state.advance();
        while (element != null) {
            scope.reset();
            assign(loop.target(), element, scope);
            if (loop.loop() != null) {
                scope.write(loop.loop(), state);
            }
            Flow flow = execute(loop.body().body(), scope, out);
            if (flow == Flow.BREAK) {
                break;
            }
            // As in Jinja, a turn that ends early doesn't keep the else branch from running.
            completed |= flow == Flow.NEXT;
            element = state.advance();
        }
        if (completed || loop.otherwise().body().isEmpty()) {
            return Flow.NEXT;
        }
        return execute(loop.otherwise().body(), outer.inner(loop.otherwise().layout()), out);
    }

    private Iterator<Value> elements(Statement.For loop, Value iterable, Scope outer) {
        Iterator<Value> all = Iteration.of(iterable);
        Statement.Filter filter = loop.filter();
        if (filter == null) {
            return all;
        }
        Scope scope = outer.inner(filter.layout());
        return new FilteredIterator(
                all,
                element -> {
                    assign(loop.target(), element, scope);
                    return Truth.of(evaluator.evaluate(filter.test(), scope));
                },
                budget);
    }

    private void assign(Target target, Value value, Scope scope) {
        switch (target) {
            case Target.Variable variable -> scope.write(variable.name(), value);
            case Target.NamespaceAttribute attribute ->
                namespace(attribute, scope).set(attribute.attribute(), value);
            case Target.Unpacking unpacking -> unpack(unpacking.targets(), value, scope);
        }
    }

    private void unpack(List<Target> targets, Value value, Scope scope) {
        Iterator<Value> parts = Iteration.of(value);
        Value[] taken = new Value[targets.size()];
        for (int i = 0; i < taken.length; i++) {
            if (!parts.hasNext()) {
                throw JinjaException.runtime("Unpacking needs " + targets.size() + " values, but there are only " + i);
            }
            taken[i] = parts.next();
        }
        if (parts.hasNext()) {
            throw JinjaException.runtime("Unpacking needs " + targets.size() + " values, but there are more");
        }
        for (int i = 0; i < taken.length; i++) {
            assign(targets.get(i), taken[i], scope);
        }
    }

    /** Refuses the assignment to anything but a namespace before its value is computed. */
    private static void checkNamespaces(Target target, Scope scope) {
        switch (target) {
            case Target.Variable variable -> {}
            case Target.NamespaceAttribute attribute -> namespace(attribute, scope);
            case Target.Unpacking unpacking -> unpacking.targets().forEach(part -> checkNamespaces(part, scope));
        }
    }

    private static Namespace namespace(Target.NamespaceAttribute target, Scope scope) {
        @Nullable Value owner = scope.read(target.namespace());
        if (owner instanceof Namespace namespace) {
            return namespace;
        }
        throw JinjaException.runtime("Can't set '" + target.attribute() + "' of '"
                + target.namespace().name() + "', which is not a namespace");
    }
}
