package dev.omlx.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps text that a client wrote from becoming control tokens when it is rendered into a prompt, without touching text
 * that could not. Wherever a client's string holds the text of a control token, or a part of one at its edge that a
 * neighbour could complete, a mark is put inside that text before rendering. Marks travel through the template with the
 * text around them, through trimming, splitting and {@code tojson} alike; afterwards they are taken out, and a control
 * token that had one inside is plain text. A string without such text has no mark, so nearly every prompt is rendered
 * and encoded as if there were no guard. Immutable.
 */
final class PromptGuard {

    /**
     * A noncharacter: text for interchange does not hold it, and what a client sends of it is dropped. Where a template
     * escapes it ({@code tojson} to ASCII) it stays in the prompt and still keeps the control token apart.
     */
    private static final char MARK = '\uFDD0';

    /** A rendered text without its marks, and where they were. */
    record Unmarked(String text, BitSet marks) {}

    private final ControlTokens controlTokens;
    private final TokenBorders borders;

    PromptGuard(List<AddedToken> addedTokens) {
        controlTokens = new ControlTokens(addedTokens);
        borders = new TokenBorders(controlTokens.all());
    }

    /** The value with marks in all strings that need them; the very same value if none does. */
    @Nullable
    Object mark(@Nullable Object value) {
        return switch (value) {
            case String text -> markText(text);
            case Map<?, ?> map -> markMap(map);
            case List<?> list -> markList(list);
            case null -> null;
            default -> value;
        };
    }

    Unmarked unmark(String rendered) {
        StringBuilder text = new StringBuilder(rendered.length());
        BitSet marks = new BitSet();
        for (int i = 0; i < rendered.length(); i++) {
            char c = rendered.charAt(i);
            if (c == MARK) {
                marks.set(text.length());
            } else {
                text.append(c);
            }
        }
        return new Unmarked(text.toString(), marks);
    }

    int[] encode(Tokenizer tokenizer, Unmarked prompt) {
        return tokenizer.encodeSpelling(prompt.text(), start -> holdsMark(prompt, start));
    }

    /** Whether there is a mark inside the longest control token at the offset. */
    private boolean holdsMark(Unmarked prompt, int start) {
        int end = start + controlTokens.lengthAt(prompt.text(), start);
        int mark = prompt.marks().nextSetBit(start + 1);
        return mark > 0 && (mark < end || mark == start + 1);
    }

    private String markText(String original) {
        String text = original.indexOf(MARK) < 0 ? original : original.replace(String.valueOf(MARK), "");
        StringBuilder marked = new StringBuilder();
        int copied = 0;
        if (borders.openAtStart(text)) {
            marked.append(MARK);
        }
        for (int i = 0; i < text.length(); i++) {
            if (controlTokens.lengthAt(text, i) > 0) {
                marked.append(text, copied, i + 1).append(MARK);
                copied = i + 1;
            }
        }
        if (borders.openAtEnd(text)) {
            marked.append(text, copied, text.length()).append(MARK);
            copied = text.length();
        }
        return marked.isEmpty()
                ? text
                : marked.append(text, copied, text.length()).toString();
    }

    @SuppressWarnings("ReferenceEquality") // what was not marked is the very same value
    private Map<?, ?> markMap(Map<?, ?> map) {
        Map<@Nullable Object, @Nullable Object> marked = new LinkedHashMap<>();
        boolean changed = false;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            // templates look keys up by name, so only those are marked that cannot be such a name
            Object key =
                    entry.getKey() instanceof String name && holdsControlToken(name) ? markText(name) : entry.getKey();
            Object value = mark(entry.getValue());
            changed |= key != entry.getKey() || value != entry.getValue();
            marked.put(key, value);
        }
        return changed ? marked : map;
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private List<?> markList(List<?> list) {
        List<@Nullable Object> marked = new ArrayList<>(list.size());
        boolean changed = false;
        for (Object element : list) {
            Object value = mark(element);
            changed |= value != element;
            marked.add(value);
        }
        return changed ? marked : list;
    }

    private boolean holdsControlToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (controlTokens.lengthAt(text, i) > 0) {
                return true;
            }
        }
        return false;
    }
}
