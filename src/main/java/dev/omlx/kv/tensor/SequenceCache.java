package dev.omlx.kv.tensor;

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
