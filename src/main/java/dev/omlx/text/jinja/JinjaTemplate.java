package dev.omlx.text.jinja;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled chat template. Immutable; any number of threads may render it at once. */
public final class JinjaTemplate {
    private final Statement.Block root;
    private final List<String> contextNames;

    private JinjaTemplate(Statement.Block root, List<String> contextNames) {
        this.root = root;
        this.contextNames = contextNames;
    }

    /**
     * Compiles a template.
     *
     * @throws JinjaException of kind {@code SYNTAX} when the source is not a valid template, {@code LIMIT} when it is
     *     too long or too deeply nested
     */
    public static JinjaTemplate compile(String source) {
        if (source.length() > Limits.SOURCE_LENGTH) {
            throw JinjaException.limit("The template's source has more than " + Limits.SOURCE_LENGTH + " characters");
        }
        try {
            Statement.Block root = new Statement.Block(Parser.parse(source), new ScopeLayout());
            return new JinjaTemplate(root, Binder.bind(root));
        } catch (StackOverflowError e) {
            throw tooSmallStack();
        }
    }

    /**
     * Renders the template.
     *
     * @param context the variables: maps with string keys (in their order), collections, strings, booleans, numbers and
     *     null, nested as needed. They are read during the call only and not changed.
     * @return the text
     * @throws JinjaException of kind {@code RAISED} with the template's own message when it refuses the data,
     *     {@code RUNTIME} when an operation fails, {@code LIMIT} when a limit is reached
     * @throws IllegalArgumentException when the context holds objects of other types
     */
    public String render(Map<String, ?> context, RenderOptions options) {
        Budget budget = new Budget(options.maxSteps(), options.maxLength());
        Interpreter interpreter = new Interpreter(budget);
        try {
            Scope scope = Scope.root(root.layout(), values(context, options, budget));
            return interpreter.capture(root.body(), scope);
        } catch (JinjaException e) {
            throw e.at(interpreter.evaluator().line());
        } catch (StackOverflowError e) {
            // The limits fit the default stack size; a thread may have a smaller one.
            throw tooSmallStack();
        }
    }

    private static JinjaException tooSmallStack() {
        return JinjaException.limit("The template nests too deeply for the thread's stack");
    }

    private @Nullable Value[] values(Map<String, ?> context, RenderOptions options, Budget budget) {
        @Nullable Value[] values = new @Nullable Value[contextNames.size()];
        for (int i = 0; i < values.length; i++) {
            String name = contextNames.get(i);
            values[i] = context.containsKey(name)
                    ? ContextValues.of(context.get(name), name)
                    : Globals.find(name, options, budget);
        }
        return values;
    }
}
