package dev.omlx.model;

/** Builds one family of models out of a configuration and weights. */
interface Architecture {
    /**
     * The model that the configuration describes.
     *
     * @throws ModelConfigException if the configuration cannot be used
     * @throws dev.omlx.model.weights.CheckpointException if a tensor is missing or has another shape
     */
    LanguageModel build(ConfigReader config, ModelWeights weights);
}
