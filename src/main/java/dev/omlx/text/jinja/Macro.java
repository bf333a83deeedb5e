package dev.omlx.text.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A macro, or the body of a call block, as a value.
 *
 * @param closure the scope that defined it
 */
record Macro(MacroCode code, Scope closure, Interpreter interpreter) implements Callable {

    @Override
    public Value call(Arguments arguments) {
        Scope scope = closure.inner(code.body().layout());
        Map<String, Value> named = new LinkedHashMap<>(arguments.named());
        List<Expression.Name> parameters = code.parameters();
        int given = Math.min(arguments.positional().size(), parameters.size());
        for (int i = 0; i < parameters.size(); i++) {
            Expression.Name parameter = parameters.get(i);
            scope.write(parameter, i < given ? arguments.positional().get(i) : named.remove(parameter.name()));
        }
        if (code.caller() != null) {
            Value caller = named.remove("caller");
            scope.write(code.caller(), caller != null ? caller : Undefined.because("The macro has no caller"));
        }
        rest(arguments, named, scope);
        fillDefaults(scope);
        return Str.of(interpreter.capture(code.body().body(), scope));
    }

    private void rest(Arguments arguments, Map<String, Value> named, Scope scope) {
        List<Value> positional = arguments.positional();
        int taken = Math.min(positional.size(), code.parameters().size());
        if (code.namedRest() != null) {
            Dict dict = new Dict(named.size());
            named.forEach(dict::put);
            scope.write(code.namedRest(), dict);
        } else if (!named.isEmpty()) {
            throw arguments.unknownKeyword(named.keySet().iterator().next());
        }
        if (code.positionalRest() != null) {
            scope.write(code.positionalRest(), new Sequence.Tuple(positional.subList(taken, positional.size())));
        } else if (taken < positional.size()) {
            throw JinjaException.runtime(arguments.callee() + "() takes at most "
                    + code.parameters().size() + " arguments, but got " + positional.size());
        }
    }

    private void fillDefaults(Scope scope) {
        for (int i = 0; i < code.parameters().size(); i++) {
            Expression.Name parameter = code.parameters().get(i);
            if (!scope.has(parameter)) {
                Expression fallback = code.defaultOf(i);
                scope.write(
                        parameter,
                        fallback != null
                                ? interpreter.evaluator().evaluate(fallback, scope)
                                : Undefined.because("The parameter '" + parameter.name() + "' is not given"));
            }
        }
    }

    /** The attribute, or null where there is none of that name. */
    @Nullable
    Value attribute(String name) {
        return switch (name) {
            case "name" -> code.name() == null ? None.NONE : Str.of(code.name());
            case "arguments" ->
                new Sequence.Tuple(code.parameters().stream()
                        .<Value>map(parameter -> Str.of(parameter.name()))
                        .toList());
            case "catch_kwargs" -> Bool.of(code.namedRest() != null);
            case "catch_varargs" -> Bool.of(code.positionalRest() != null);
            case "caller" -> Bool.of(code.caller() != null);
            default -> null;
        };
    }

    /** The name as the macro is printed. */
    String reprName() {
        return code.name() == null ? "anonymous" : PythonText.quote(code.name(), false);
    }

    @Override
    public String typeName() {
        return "Macro";
    }
}
