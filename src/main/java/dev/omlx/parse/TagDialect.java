package dev.omlx.parse;

import java.util.List;
import java.util.regex.Pattern;

/**
 * How calls are written with tags.
 *
 * @param nameEnd what ends the name; empty where whatever follows does
 * @param parameterOpen what begins a parameter
 * @param key what follows up to the value: a group {@code key}, and perhaps a group {@code string} that is true where the
 *     value is a string and false where it is JSON
 * @param parameterClose what ends a value, if the next parameter or the end of the call follows
 * @param ends what ends the call, any of them
 * @param padded whether values stand on lines of their own
 */
record TagDialect(
        String nameEnd, String parameterOpen, Pattern key, String parameterClose, List<String> ends, boolean padded) {
    /** {@code name><parameter=key>value</parameter></function>}. */
    static final TagDialect QWEN = new TagDialect(
            ">",
            "<parameter=",
            Pattern.compile("(?<key>[^<>\\n]{1,128})>"),
            "</parameter>",
            List.of("</function>", "</tool_call>"),
            true);

    /** {@code name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>}. */
    static final TagDialect GLM = new TagDialect(
            "",
            "<arg_key>",
            Pattern.compile("(?<key>[^<>]{1,128})</arg_key>\\s{0,8}<arg_value>"),
            "</arg_value>",
            List.of("</tool_call>"),
            false);

    /** {@code name"><parameter name="key">value</parameter></invoke>}, tags beginning with {@code prefix}. */
    static TagDialect invoke(String prefix) {
        return new TagDialect(
                "\">",
                "<" + prefix + "parameter name=\"",
                Pattern.compile("(?<key>[^<>\"]{1,128})\"(?:\\s{1,8}string=\"(?<string>true|false)\")?\\s{0,8}>"),
                "</" + prefix + "parameter>",
                List.of("</" + prefix + "invoke>"),
                false);
    }
}
