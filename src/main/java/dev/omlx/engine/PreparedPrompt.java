package dev.omlx.engine;

import dev.omlx.parse.OutputParser;
import java.util.function.Supplier;

/**
 * A prompt as the model gets it, and how to read what the model makes of it.
 *
 * @param ids its tokens
 * @param parsers gives a parser for each answer
 */
record PreparedPrompt(int[] ids, Supplier<OutputParser> parsers) {}
