package dev.omlx.text.jinja;

import org.jspecify.annotations.Nullable;

/**
 * The two ways to reach into a value. {@code value.name} prefers Python's attributes (mostly methods) and falls back to
 * elements, {@code value[key]} does the opposite; where both fail the result is undefined.
 */
final class Attributes {
    private Attributes() {}

    /** {@code target.name}. */
    static Value attribute(Value target, String name, Budget budget) {
        Value found = python(target, name, budget);
        if (found != null) {
            return found;
        }
        if (target instanceof Dict dict) {
            Value element = dict.get(name);
            if (element != null) {
                return element;
            }
        }
        return Undefined.attribute(target, name);
    }

    /** {@code target[key]}, also what the filters' {@code attribute} parameter means. */
    static Value item(Value target, Value key, Budget budget) {
        if (target instanceof Undefined undefined) {
            throw undefined.failure();
        }
        Value element = Subscripts.element(target, key, budget);
        if (element != null) {
            return element;
        }
        if (key instanceof Str str) {
            Value found = python(target, str.text(), budget);
            return found != null ? found : Undefined.attribute(target, str.text());
        }
        return Undefined.attribute(target, PythonText.repr(key, budget));
    }

    /** The attribute in Python's own sense, or null. */
    static @Nullable Value python(Value target, String name, Budget budget) {
        if (isInternal(name) && !(target instanceof Dict)) {
            return refused(target, name);
        }
        return switch (target) {
            case Undefined undefined -> throw undefined.failure();
            case Str str -> StringMethods.bind(str, name, budget);
            case Dict dict ->
                DictMethods.MUTATORS.contains(name) ? refused(target, name) : DictMethods.bind(dict, name, budget);
            case Sequence sequence ->
                sequence instanceof Sequence.Array && SequenceMethods.MUTATORS.contains(name)
                        ? refused(target, name)
                        : SequenceMethods.bind(sequence, name, budget);
            case Range range -> SequenceMethods.bind(range, name, budget);
            case Namespace namespace -> namespace.get(name);
            case LoopState loop -> loop.attribute(name);
            case Macro macro -> macro.attribute(name);
            case Cycler cycler -> cyclerAttribute(cycler, name);
            case Int number -> NumberMethods.attribute(number, name);
            case Bool bool -> NumberMethods.attribute(bool.toInt(), name);
            case Real real -> NumberMethods.attribute(real, name);
            case None none -> null;
            case DictView view -> null;
            case Generator generator -> null;
            case Callable.Builtin builtin -> null;
        };
    }

    private static boolean isInternal(String name) {
        return name.startsWith("__") && name.endsWith("__");
    }

    private static Undefined refused(Value target, String name) {
        return Undefined.because("The sandbox refuses '" + name + "' of a value of type '" + target.typeName() + "'");
    }

    private static @Nullable Value cyclerAttribute(Cycler cycler, String name) {
        return switch (name) {
            case "current" -> cycler.current();
            case "next" ->
                Callable.Builtin.method(name, arguments -> {
                    arguments.exactly(0, 0);
                    return cycler.next();
                });
            case "reset" ->
                Callable.Builtin.method(name, arguments -> {
                    arguments.exactly(0, 0);
                    cycler.reset();
                    return None.NONE;
                });
            default -> null;
        };
    }
}
