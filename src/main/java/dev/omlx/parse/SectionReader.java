package dev.omlx.parse;

import java.util.List;

/**
 * Reads the first call of a section: white space, the mark of a call, and the call. Takes the JSON of a call in its
 * place, which models write that were trained on several formats.
 */
final class SectionReader implements CallReader {
    private final String mark;
    private final DeclaredTools tools;
    private CallReader call;
    private int matched;
    private int marks;

    SectionReader(String mark, CallReader call, DeclaredTools tools) {
        this.mark = mark;
        this.call = call;
        this.tools = tools;
    }

    @Override
    public Step accept(char c) {
        if (matched == mark.length()) {
            return call.accept(c);
        }
        if (matched == 0 && Character.isWhitespace(c)) {
            marks++;
            return Step.MORE;
        }
        if (matched == 0 && (c == '{' || c == '[')) {
            matched = mark.length();
            call = JsonCallReader.ofCalls(tools);
            return call.accept(c);
        }
        marks++;
        return mark.charAt(matched++) == c ? Step.MORE : Step.FAILED;
    }

    @Override
    public boolean isWhole() {
        return call.isWhole();
    }

    @Override
    public boolean hasBegun() {
        return call.hasBegun();
    }

    @Override
    public int marks() {
        return marks;
    }

    @Override
    public List<RawCall> calls() {
        return call.calls();
    }
}
