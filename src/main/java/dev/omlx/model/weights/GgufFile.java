package dev.omlx.model.weights;

import java.nio.file.Path;

/** A GGUF file, version 2 or 3, little-endian. */
public final class GgufFile extends WeightFile {
    private final GgufHeader header;

    private GgufFile(FileMap map, GgufHeader header) {
        super(map, header.entries());
        this.header = header;
    }

    /**
     * Maps a file and checks its whole header.
     *
     * @throws CheckpointException for any fault; the file is then not mapped any more
     */
    public static GgufFile open(Path path) {
        FileMap map = FileMap.open(path);
        try {
            return new GgufFile(map, new GgufHeader(map));
        } catch (RuntimeException | Error e) {
            map.close();
            throw e;
        }
    }

    public int version() {
        return header.version();
    }

    /** What tensors' places are multiples of, in bytes. */
    public int alignment() {
        return header.alignment();
    }

    /** The file's key-value pairs; they stay readable after {@link #close}. */
    public GgufMetadata metadata() {
        return header.metadata();
    }
}
