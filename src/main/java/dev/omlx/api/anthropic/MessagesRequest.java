package dev.omlx.api.anthropic;

import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;

/**
 * A valid request for a message.
 *
 * @param model the model that will answer
 * @param maxTokens most tokens of the answer
 * @param stream send the answer as it is generated
 */
record MessagesRequest(GenerationRequest generation, ModelDescription model, int maxTokens, boolean stream) {}
