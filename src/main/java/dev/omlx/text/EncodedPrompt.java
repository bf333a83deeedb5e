package dev.omlx.text;

/**
 * A conversation as the model gets it.
 *
 * @param text the rendered template
 * @param ids its tokens; nothing is to be put around them
 */
public record EncodedPrompt(String text, int[] ids) {}
