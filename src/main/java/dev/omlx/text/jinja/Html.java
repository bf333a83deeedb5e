package dev.omlx.text.jinja;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Escaping for HTML, as the filters {@code escape}, {@code striptags} and {@code xmlattr} need it. */
final class Html {
    private static final Pattern ENTITY = Pattern.compile("&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]+);");
    private static final Map<String, String> NAMED =
            Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'", "nbsp", "\u00a0");

    private Html() {}

    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&#34;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    /** Escapes a value's text, unless it is marked as safe. */
    static String escape(Value value, Budget budget) {
        String text = PythonText.str(value, budget);
        budget.text(text.length());
        return value instanceof Str str && str.markup() ? text : escape(text);
    }

    /** The text without tags and comments, each run of white space one space, entities resolved. */
    static String stripTags(String text) {
        String bare = without("<", ">", without("<!--", "-->", text));
        StringBuilder collapsed = new StringBuilder(bare.length());
        bare.codePoints().forEach(c -> {
            boolean space = PythonChars.isSpace(c);
            if (!space) {
                collapsed.appendCodePoint(c);
            } else if (!collapsed.isEmpty() && collapsed.charAt(collapsed.length() - 1) != ' ') {
                collapsed.append(' ');
            }
        });
        String stripped = PythonChars.stripTrailing(collapsed.toString(), PythonChars::isSpace);
        return ENTITY.matcher(stripped).replaceAll(Html::unescape);
    }

    private static String without(String open, String close, String text) {
        StringBuilder out = new StringBuilder(text.length());
        int at = 0;
        while (true) {
            int start = text.indexOf(open, at);
            int end = start < 0 ? -1 : text.indexOf(close, start + open.length());
            if (end < 0) {
                return out.append(text, at, text.length()).toString();
            }
            out.append(text, at, start);
            at = end + close.length();
        }
    }

    private static String unescape(MatchResult entity) {
        String name = entity.group(1);
        String text = NAMED.get(name);
        if (name.charAt(0) == '#') {
            boolean hex = Character.toLowerCase(name.charAt(1)) == 'x';
            int code = Integer.parseInt(name.substring(hex ? 2 : 1), hex ? 16 : 10);
            text = Character.isValidCodePoint(code) ? Character.toString(code) : "\ufffd";
        }
        return Matcher.quoteReplacement(text == null ? entity.group() : text);
    }
}
