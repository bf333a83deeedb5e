package dev.omlx.parse;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How a model marks its calls. No mark may be the beginning of another one.
 *
 * @param openers what a call begins with
 * @param closers marks that may follow calls and mean nothing by themselves
 */
record ToolSyntax(List<Opener> openers, List<String> closers) {
    ToolSyntax {
        openers = List.copyOf(openers);
        closers = List.copyOf(closers);
    }

    /** A mark, and what reads the call behind it. */
    record Opener(String mark, Function<DeclaredTools, CallReader> reader) {
        /** A mark that begins a section of calls; white space and another mark stand before the first one. */
        static Opener section(String mark, Opener first) {
            return new Opener(
                    mark,
                    tools -> new SectionReader(first.mark(), first.reader().apply(tools), tools));
        }
    }

    /** Calls between an opening and a closing mark. */
    static ToolSyntax between(String open, String close, Function<DeclaredTools, CallReader> reader) {
        return new ToolSyntax(List.of(new Opener(open, reader)), List.of(close));
    }

    /** Calls that may stand in a section. */
    static ToolSyntax sections(String open, String close, Opener call, List<String> closers) {
        return new ToolSyntax(
                List.of(Opener.section(open, call), call),
                Stream.concat(Stream.of(close), closers.stream()).toList());
    }
}
