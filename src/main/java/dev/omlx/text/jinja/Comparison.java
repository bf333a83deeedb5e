package dev.omlx.text.jinja;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;

/** Python's {@code ==}, {@code <}, {@code in} and {@code is}. */
final class Comparison {
    private Comparison() {}

    /** {@code left == right}. */
    static boolean equal(Value left, Value right, Budget budget) {
        if (isNumber(left)) {
            return isNumber(right) && equalNumbers(left, right);
        }
        return switch (left) {
            case Str str -> right instanceof Str other && equalTexts(str.text(), other.text(), budget);
            case Undefined undefined -> right instanceof Undefined;
            case Sequence.Array array ->
                right instanceof Sequence.Array other && equalItems(array.items(), other.items(), budget);
            case Sequence.Tuple tuple ->
                right instanceof Sequence.Tuple other && equalItems(tuple.items(), other.items(), budget);
            case Dict dict -> right instanceof Dict other && equalDicts(dict, other, budget);
            case Range range -> right instanceof Range other && equalItems(range.toList(), other.toList(), budget);
            case DictView view -> right instanceof DictView other && equalViews(view, other, budget);
            default -> sameObject(left, right);
        };
    }

    private static boolean equalTexts(String left, String right, Budget budget) {
        if (left.length() != right.length()) {
            return false;
        }
        budget.copy(left.length());
        return left.equals(right);
    }

    private static boolean equalViews(DictView left, DictView right, Budget budget) {
        if (left.part() != right.part() || left.part() == DictView.Part.VALUES) {
            return sameObject(left, right);
        }
        if (left.part() == DictView.Part.ITEMS) {
            return equalDicts(left.dict(), right.dict(), budget);
        }
        return left.dict().size() == right.dict().size()
                && left.toList().stream().allMatch(key -> right.dict().get(key, budget) != null);
    }

    private static boolean equalItems(List<Value> left, List<Value> right, Budget budget) {
        if (left.size() != right.size()) {
            return false;
        }
        budget.enter();
        for (int i = 0; i < left.size(); i++) {
            if (!same(left.get(i), right.get(i), budget)) {
                budget.leave();
                return false;
            }
        }
        budget.leave();
        return true;
    }

    private static boolean equalDicts(Dict left, Dict right, Budget budget) {
        if (left.size() != right.size()) {
            return false;
        }
        budget.enter();
        for (Dict.Entry entry : left.entries()) {
            Value other = right.get(entry.key(), budget);
            if (other == null || !same(entry.value(), other, budget)) {
                budget.leave();
                return false;
            }
        }
        budget.leave();
        return true;
    }

    /** Identity or equality, which is how containers compare their elements. */
    private static boolean same(Value left, Value right, Budget budget) {
        budget.step();
        return sameObject(left, right) || equal(left, right, budget);
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean sameObject(Value left, Value right) {
        return left == right;
    }

    static boolean isNumber(Value value) {
        return value instanceof Int || value instanceof Bool || value instanceof Real;
    }

    private static boolean equalNumbers(Value left, Value right) {
        if (isNaN(left) || isNaN(right)) {
            return false;
        }
        return compareNumbers(left, right) == 0;
    }

    private static boolean isNaN(Value value) {
        return value instanceof Real real && Double.isNaN(real.value());
    }

    /** Compares exactly, also integers with floats. Neither is NaN. */
    private static int compareNumbers(Value left, Value right) {
        if (left instanceof Real a) {
            double x = a.value();
            if (right instanceof Real b) {
                return x == b.value() ? 0 : Double.compare(x, b.value());
            }
            if (Double.isInfinite(x)) {
                return x > 0 ? 1 : -1;
            }
            return new BigDecimal(x)
                    .compareTo(new BigDecimal(Arithmetic.toInt(right).bigValue()));
        }
        if (right instanceof Real) {
            return -compareNumbers(right, left);
        }
        return Arithmetic.toInt(left).compareTo(Arithmetic.toInt(right));
    }

    /** {@code left < right}. */
    static boolean less(Value left, Value right, Budget budget) {
        return ordered(left, right, "<", budget) < 0;
    }

    /**
     * Applies one of {@code < <= > >=}.
     *
     * @throws JinjaException when values of these types have no order
     */
    static boolean ordered(Value left, String operator, Value right, Budget budget) {
        if ((isNaN(left) && isNumber(right)) || (isNaN(right) && isNumber(left))) {
            return false;
        }
        int order = ordered(left, right, operator, budget);
        return switch (operator) {
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            case ">=" -> order >= 0;
            default -> throw new IllegalArgumentException(operator);
        };
    }

    private static int ordered(Value left, Value right, String operator, Budget budget) {
        if (left instanceof Str a && right instanceof Str b) {
            budget.copy(Math.min(a.text().length(), b.text().length()));
            return compareCodePoints(a.text(), b.text());
        }
        if (isNumber(left) && isNumber(right)) {
            return isNaN(left) || isNaN(right) ? 1 : compareNumbers(left, right);
        }
        if (left instanceof Sequence a && right instanceof Sequence b && a.getClass() == b.getClass()) {
            return compareItems(a.items(), b.items(), operator, budget);
        }
        throw unordered(left, operator, right);
    }

    private static int compareItems(List<Value> left, List<Value> right, String operator, Budget budget) {
        budget.enter();
        int common = Math.min(left.size(), right.size());
        for (int i = 0; i < common; i++) {
            if (!same(left.get(i), right.get(i), budget)) {
                int order = ordered(left.get(i), right.get(i), operator, budget);
                budget.leave();
                return order;
            }
        }
        budget.leave();
        return Integer.compare(left.size(), right.size());
    }

    private static JinjaException unordered(Value left, String operator, Value right) {
        if (left instanceof Undefined undefined) {
            return undefined.failure();
        }
        if (right instanceof Undefined undefined) {
            return undefined.failure();
        }
        return JinjaException.runtime(
                "'" + operator + "' doesn't work between '" + left.typeName() + "' and '" + right.typeName() + "'");
    }

    /** Orders by code point, where {@link String#compareTo} orders by UTF-16 unit. */
    static int compareCodePoints(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean bothPlain = !Character.isSurrogate(a) && !Character.isSurrogate(b);
                boolean bothSurrogate = Character.isSurrogate(a) && Character.isSurrogate(b);
                return bothPlain || bothSurrogate ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /** {@code element in container}. */
    static boolean contains(Value container, Value element, Budget budget) {
        return switch (container) {
            case Str str -> {
                if (!(element instanceof Str part)) {
                    throw JinjaException.runtime(
                            "'in' on a string needs a string, but got a value of type '" + element.typeName() + "'");
                }
                budget.search(str.text(), part.text());
                yield str.text().contains(part.text());
            }
            case Dict dict -> dict.get(element, budget) != null;
            case DictView view ->
                view.part() == DictView.Part.KEYS
                        ? view.dict().get(element, budget) != null
                        : containsItem(view, element, budget);
            default -> containsItem(container, element, budget);
        };
    }

    private static boolean containsItem(Value container, Value element, Budget budget) {
        Iterator<Value> items = Iteration.of(container);
        while (items.hasNext()) {
            if (same(items.next(), element, budget)) {
                return true;
            }
        }
        return false;
    }

    /** {@code left is right} as far as a template can count on it: singletons, equal constants, one and the same object. */
    static boolean identical(Value left, Value right) {
        return switch (left) {
            case Int a -> right instanceof Int b && a.compareTo(b) == 0;
            case Str a ->
                right instanceof Str b && a.markup() == b.markup() && a.text().equals(b.text());
            default -> sameObject(left, right);
        };
    }
}
