package dev.omlx.model;

/**
 * What a model will be once it is loaded, told from the headers of its files.
 *
 * @param shape its sizes
 * @param weightBytes of its weights in memory, in the precision they will have there
 */
public record LoadPlan(ModelShape shape, long weightBytes) {}
