package dev.omlx.api.openai;

import dev.omlx.engine.api.GenerationEvent;

/**
 * What happened to one of a request's prompts.
 *
 * @param prompt which one, from 0
 */
record PromptEvent(int prompt, GenerationEvent event) {}
