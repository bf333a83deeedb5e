package dev.omlx.text.jinja;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The methods of Python's {@code str}, by name. */
final class StringMethods {
    private static final Map<String, Method> METHODS = new HashMap<>();

    static {
        cases();
        classes();
        layout();
        METHODS.put("strip", (self, args, budget) -> strip(self, args, true, true));
        METHODS.put("lstrip", (self, args, budget) -> strip(self, args, true, false));
        METHODS.put("rstrip", (self, args, budget) -> strip(self, args, false, true));
        METHODS.put("split", (self, args, budget) -> TextSplitting.split(self, args, false, budget));
        METHODS.put("rsplit", (self, args, budget) -> TextSplitting.split(self, args, true, budget));
        METHODS.put("splitlines", TextSplitting::splitLines);
        METHODS.put("partition", (self, args, budget) -> TextSplitting.partition(self, args, false, budget));
        METHODS.put("rpartition", (self, args, budget) -> TextSplitting.partition(self, args, true, budget));
        METHODS.put("join", StringMethods::join);
        METHODS.put("replace", StringMethods::replace);
        METHODS.put("format", StringFormatter::format);
        METHODS.put("format_map", StringFormatter::formatMap);
        METHODS.put("startswith", (self, args, budget) -> TextSearch.affix(self, args, true));
        METHODS.put("endswith", (self, args, budget) -> TextSearch.affix(self, args, false));
        METHODS.put("find", (self, args, budget) -> Int.of(TextSearch.find(self, args, false, budget)));
        METHODS.put("rfind", (self, args, budget) -> Int.of(TextSearch.find(self, args, true, budget)));
        METHODS.put("index", (self, args, budget) -> TextSearch.index(self, args, false, budget));
        METHODS.put("rindex", (self, args, budget) -> TextSearch.index(self, args, true, budget));
        METHODS.put("count", (self, args, budget) -> TextSearch.count(self, args, budget));
        METHODS.put("removeprefix", (self, args, budget) -> {
            String prefix = args.string(args.exactly(1, 1).get(0));
            return self.text().startsWith(prefix) ? self.like(self.text().substring(prefix.length())) : self;
        });
        METHODS.put("removesuffix", (self, args, budget) -> {
            String suffix = args.string(args.exactly(1, 1).get(0));
            String text = self.text();
            return text.endsWith(suffix) ? self.like(text.substring(0, text.length() - suffix.length())) : self;
        });
    }

    private StringMethods() {}

    /** The method bound to the string, or null where there is none of that name. */
    static @Nullable Value bind(Str self, String name, Budget budget) {
        Method method = METHODS.get(name);
        return method == null
                ? null
                : Callable.Builtin.method(name, arguments -> {
                    budget.copy(self.text().length());
                    return method.call(self, arguments, budget);
                });
    }

    private static void cases() {
        plain("upper", TextCase::upper);
        plain("lower", TextCase::lower);
        plain("casefold", TextCase::fold);
        plain("capitalize", TextCase::capitalize);
        plain("title", TextCase::title);
        plain("swapcase", TextCase::swap);
        test("isupper", TextCase::isUpper);
        test("islower", TextCase::isLower);
        test("istitle", TextCase::isTitle);
    }

    private static void classes() {
        all("isspace", PythonChars::isSpace);
        all("isalpha", PythonChars::isAlpha);
        all("isalnum", PythonChars::isAlphanumeric);
        all("isdecimal", PythonChars::isDecimal);
        all("isdigit", PythonChars::isDigit);
        all("isnumeric", PythonChars::isNumeric);
        test("isascii", text -> text.chars().allMatch(c -> c < 0x80));
        test("isprintable", text -> text.codePoints().allMatch(PythonChars::isPrintable));
        test(
                "isidentifier",
                text -> !text.isEmpty()
                        && PythonChars.isIdentifierStart(text.codePointAt(0))
                        && text.codePoints().allMatch(PythonChars::isIdentifierPart));
    }

    private static void layout() {
        METHODS.put("center", (self, args, budget) -> TextLayout.center(self, args, budget));
        METHODS.put("ljust", (self, args, budget) -> TextLayout.justify(self, args, true, budget));
        METHODS.put("rjust", (self, args, budget) -> TextLayout.justify(self, args, false, budget));
        METHODS.put("zfill", (self, args, budget) -> TextLayout.zeroFill(self, args, budget));
        METHODS.put("expandtabs", (self, args, budget) -> TextLayout.expandTabs(self, args, budget));
    }

    private static void plain(String name, java.util.function.UnaryOperator<String> operation) {
        METHODS.put(name, (self, args, budget) -> {
            args.exactly(0, 0);
            return self.like(operation.apply(self.text()));
        });
    }

    private static void test(String name, java.util.function.Predicate<String> test) {
        METHODS.put(name, (self, args, budget) -> {
            args.exactly(0, 0);
            return Bool.of(test.test(self.text()));
        });
    }

    private static void all(String name, IntPredicate test) {
        test(name, text -> !text.isEmpty() && text.codePoints().allMatch(test));
    }

    private static Value strip(Str self, Arguments arguments, boolean leading, boolean trailing) {
        var given = arguments.exactly(0, 1);
        Value chars = given.isEmpty() ? None.NONE : given.get(0);
        return self.like(strip(self.text(), chars == None.NONE ? null : arguments.string(chars), leading, trailing));
    }

    /** Strips the given characters, or white space where they are null. */
    static String strip(String text, @Nullable String chars, boolean leading, boolean trailing) {
        IntPredicate stripped = chars == null ? PythonChars::isSpace : c -> chars.indexOf(c) >= 0;
        String rest = leading ? PythonChars.stripLeading(text, stripped) : text;
        return trailing ? PythonChars.stripTrailing(rest, stripped) : rest;
    }

    private static Value join(Str self, Arguments arguments, Budget budget) {
        TextOutput out = new TextOutput(budget);
        String separator = "";
        for (Value item : Iteration.toList(arguments.exactly(1, 1).get(0), budget)) {
            if (!(item instanceof Str part)) {
                throw JinjaException.runtime(
                        "join() needs strings, but an element is of type '" + item.typeName() + "'");
            }
            out.append(separator).append(self.markup() ? Html.escape(part, budget) : part.text());
            separator = self.text();
        }
        return self.like(out.toString());
    }

    private static Value replace(Str self, Arguments arguments, Budget budget) {
        Arguments given = arguments.bind("old", "new", "count");
        String old = given.string(given.required("old"));
        Value replacement = given.required("new");
        String text = given.string(replacement);
        return self.like(TextSearch.replace(
                self.text(),
                old,
                self.markup() ? Html.escape(replacement, budget) : text,
                given.integer("count", -1),
                budget));
    }
}
