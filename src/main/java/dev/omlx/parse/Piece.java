package dev.omlx.parse;

/** A part of an answer. Text stands as the model wrote it; the offset tells where, in characters of the answer. */
public sealed interface Piece {
    /** What the model says to its user. */
    record Text(int start, String text) implements Piece {}

    /** What it thinks before it says something. */
    record Reasoning(int start, String text) implements Piece {}

    /**
     * A call that can be run: the function is declared, and the arguments have all that it requires.
     *
     * @param id unique in the answer
     * @param arguments the text of one JSON object
     */
    record ToolCall(String id, String name, String arguments) implements Piece {}
}
