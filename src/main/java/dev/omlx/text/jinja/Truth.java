package dev.omlx.text.jinja;

/** Python's truth of a value. */
final class Truth {
    private Truth() {}

    static boolean of(Value value) {
        return switch (value) {
            case Bool bool -> bool.isTrue();
            case Str str -> !str.text().isEmpty();
            case Undefined undefined -> false;
            case None none -> false;
            case Sequence sequence -> !sequence.items().isEmpty();
            case Dict dict -> dict.size() > 0;
            case Int number -> number.signum() != 0;
            case Real real -> real.value() != 0;
            case DictView view -> view.dict().size() > 0;
            case Range range -> range.size() > 0;
            case Generator generator -> true;
            case Namespace namespace -> true;
            case Cycler cycler -> true;
            case Callable callable -> true;
        };
    }
}
