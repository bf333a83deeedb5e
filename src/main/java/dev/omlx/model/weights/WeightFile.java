package dev.omlx.model.weights;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * A checkpoint file whose header has been read and checked and whose tensors are mapped read-only. Any thread may read.
 * The holder owns the mapping and closes it, once nobody reads and no {@link #data} segment is in use any more.
 */
public abstract sealed class WeightFile implements AutoCloseable permits SafetensorsFile, GgufFile {
    private final FileMap map;
    private final SequencedMap<String, TensorEntry> entries;

    WeightFile(FileMap map, SequencedMap<String, TensorEntry> entries) {
        this.map = map;
        this.entries = Collections.unmodifiableSequencedMap(entries);
    }

    public final Path path() {
        return map.path();
    }

    /** Size of the whole file in bytes. */
    public final long size() {
        return map.size();
    }

    /** The tensors by name, in the order of the header. */
    public final SequencedMap<String, TensorEntry> entries() {
        return entries;
    }

    /**
     * The tensor of that name.
     *
     * @throws CheckpointException {@link CheckpointException.Kind#MISSING_TENSOR}
     */
    public final TensorEntry entry(String name) {
        TensorEntry entry = entries.get(name);
        if (entry == null) {
            throw CheckpointException.missingTensor(path(), name);
        }
        return entry;
    }

    /**
     * The mapped bytes of a tensor of this file: borrowed, read-only, valid until {@link #close}, not necessarily
     * aligned. If the file is truncated meanwhile, reading them from Java is an {@link InternalError} that may arrive
     * late, and reading them from native code kills the process; {@link #copyTo} has neither trouble.
     */
    public final MemorySegment data(TensorEntry entry) {
        return map.slice(own(entry).offset(), entry.byteLength());
    }

    /**
     * Copies a tensor's bytes as they are stored.
     *
     * @param target exactly {@link TensorEntry#byteLength()} bytes
     * @throws CheckpointException if the file has been truncated since it was opened
     */
    public final void copyTo(TensorEntry entry, MemorySegment target) {
        if (target.byteSize() != own(entry).byteLength()) {
            throw new IllegalArgumentException("the target has " + target.byteSize() + " bytes, the tensor '"
                    + entry.name() + "' " + entry.byteLength());
        }
        map.copy(entry.offset(), target);
    }

    /** Copies a part of a tensor's bytes, beginning at {@code from} and as long as {@code target}. */
    final void copyPart(TensorEntry entry, long from, MemorySegment target) {
        Objects.checkFromIndexSize(from, target.byteSize(), own(entry).byteLength());
        map.copy(entry.offset() + from, target);
    }

    /** Unmaps the file; a second call does nothing. */
    @Override
    public final void close() {
        map.close();
    }

    private TensorEntry own(TensorEntry entry) {
        if (!entry.equals(entries.get(entry.name()))) {
            throw new IllegalArgumentException("the tensor '" + entry.name() + "' does not belong to " + map.path());
        }
        return entry;
    }
}
