package dev.omlx.text.jinja;

import java.util.List;

/** Python's ways to pad a string. Widths count code points. */
final class TextLayout {
    private static final int TAB = 8;

    private TextLayout() {}

    static Value center(Str self, Arguments arguments, Budget budget) {
        List<Value> given = arguments.exactly(1, 2);
        return self.like(center(self.text(), arguments.integer(given.get(0)), fill(given, arguments), budget));
    }

    /** Centres a text as Python does: of an odd padding, the larger half goes left only when the width is odd. */
    static String center(String text, int width, int fill, Budget budget) {
        int padding = padding(text, width, budget);
        int left = padding / 2 + (padding & width & 1);
        return repeat(fill, left) + text + repeat(fill, padding - left);
    }

    /** {@code ljust} or {@code rjust}. */
    static Value justify(Str self, Arguments arguments, boolean left, Budget budget) {
        List<Value> given = arguments.exactly(1, 2);
        String text = self.text();
        String pad = repeat(fill(given, arguments), padding(text, arguments.integer(given.get(0)), budget));
        return self.like(left ? text + pad : pad + text);
    }

    static Value zeroFill(Str self, Arguments arguments, Budget budget) {
        String text = self.text();
        int padding = padding(text, arguments.integer(arguments.exactly(1, 1).get(0)), budget);
        int sign = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        return self.like(text.substring(0, sign) + "0".repeat(padding) + text.substring(sign));
    }

    static Value expandTabs(Str self, Arguments arguments, Budget budget) {
        int size = arguments.bind("tabsize").integer("tabsize", TAB);
        TextOutput out = new TextOutput(budget);
        int column = 0;
        for (int c : self.text().codePoints().toArray()) {
            if (c == '\t') {
                int spaces = size > 0 ? size - column % size : 0;
                budget.text(spaces);
                out.append(" ".repeat(spaces));
                column += spaces;
            } else {
                out.append(Character.toString(c));
                column = c == '\n' || c == '\r' ? 0 : column + 1;
            }
        }
        return self.like(out.toString());
    }

    private static int fill(List<Value> given, Arguments arguments) {
        if (given.size() < 2) {
            return ' ';
        }
        String fill = arguments.string(given.get(1));
        if (fill.codePointCount(0, fill.length()) != 1) {
            throw JinjaException.runtime("The fill of " + arguments.callee() + "() must be one character");
        }
        return fill.codePointAt(0);
    }

    private static int padding(String text, int width, Budget budget) {
        budget.text(Math.max(0, width));
        return Math.max(0, width - text.codePointCount(0, text.length()));
    }

    private static String repeat(int fill, int count) {
        return Character.toString(fill).repeat(count);
    }
}
