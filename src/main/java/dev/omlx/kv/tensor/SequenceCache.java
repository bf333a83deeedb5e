package dev.omlx.kv.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The KV cache of one sequence, a {@link LayerCache} a layer. Owned by whoever made it. Engine thread only. */
public final class SequenceCache implements AutoCloseable {
    private final List<LayerCache> layers;

    /** An empty cache for a model of that many layers. */
    public SequenceCache(int layers) {
        this.layers =
                IntStream.range(0, layers).mapToObj(layer -> new LayerCache()).toList();
    }

    private SequenceCache(List<LayerCache> layers) {
        this.layers = layers;
    }

    /**
     * A cache of the same first positions, in buffers of its own: a later change of either shows in neither. The caller
     * owns it. Needs a {@link dev.omlx.mlx.TensorScope}; the copy is made when it is first computed with.
     *
     * @param positions how many, at least 1
     * @throws IllegalArgumentException if there are not so many
     */
    public SequenceCache fork(int positions) {
        if (positions < 1 || positions > length()) {
            throw new IllegalArgumentException("cannot copy " + positions + " of " + length() + " positions");
        }
        List<LayerCache> copies = new ArrayList<>(layers.size());
        try {
            layers.forEach(layer -> copies.add(layer.fork(positions)));
        } catch (RuntimeException e) {
            copies.forEach(LayerCache::close);
            throw e;
        }
        return new SequenceCache(copies);
    }

    public LayerCache layer(int index) {
        return layers.get(index);
    }

    /** Positions held. */
    public int length() {
        return layers.getFirst().length();
    }

    @Override
    public void close() {
        layers.forEach(LayerCache::close);
    }
}
