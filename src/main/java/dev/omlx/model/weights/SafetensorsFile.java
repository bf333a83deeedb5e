package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;

/**
 * A safetensors file: eight bytes of little-endian header length, a JSON header, and the tensors' bytes, which fill the
 * rest of the file without a gap or an overlap.
 */
public final class SafetensorsFile extends WeightFile {
    /** The longest header that is accepted, as in the format's reference implementation. */
    static final int MAX_HEADER_BYTES = 100_000_000;

    private static final int PREFIX_BYTES = Long.BYTES;

    private final Map<String, String> metadata;

    private SafetensorsFile(FileMap map, SafetensorsHeader header) {
        super(map, header.entries());
        this.metadata = Collections.unmodifiableMap(header.metadata());
    }

    /**
     * Maps a file and checks its whole header.
     *
     * @throws CheckpointException for any fault; the file is then not mapped any more
     */
    public static SafetensorsFile open(Path path) {
        FileMap map = FileMap.open(path);
        try {
            return new SafetensorsFile(map, readHeader(map));
        } catch (RuntimeException | Error e) {
            map.close();
            throw e;
        }
    }

    /** The free-form strings under {@code __metadata__}, such as {@code format=mlx}. */
    public Map<String, String> metadata() {
        return metadata;
    }

    private static SafetensorsHeader readHeader(FileMap map) {
        if (map.size() < PREFIX_BYTES) {
            throw CheckpointException.ofFile(
                    Kind.TRUNCATED, map.path(), "the file has " + map.size() + " bytes, the header length needs 8");
        }
        long length = ByteBuffer.wrap(bytes(map, 0, PREFIX_BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
        requireHeaderLength(map, length);
        if (bytes(map, PREFIX_BYTES, 1)[0] != '{') {
            throw CheckpointException.ofFile(Kind.MALFORMED, map.path(), "the header does not begin with '{'");
        }
        byte[] json = bytes(map, PREFIX_BYTES, (int) length);
        return new SafetensorsHeader(map.path(), json, PREFIX_BYTES + length, map.size());
    }

    private static void requireHeaderLength(FileMap map, long length) {
        if (length < 0 || length > MAX_HEADER_BYTES) {
            throw CheckpointException.ofFile(
                    Kind.TOO_LARGE,
                    map.path(),
                    "a header of " + Long.toUnsignedString(length) + " bytes, at most " + MAX_HEADER_BYTES
                            + " are allowed");
        }
        if (length > map.size() - PREFIX_BYTES) {
            throw CheckpointException.ofFile(
                    Kind.TRUNCATED, map.path(), "a header of " + length + " bytes in a file of " + map.size());
        }
        if (length == 0) {
            throw CheckpointException.ofFile(Kind.MALFORMED, map.path(), "the header is empty");
        }
    }

    private static byte[] bytes(FileMap map, long offset, int length) {
        byte[] copy = new byte[length];
        map.copy(offset, MemorySegment.ofArray(copy));
        return copy;
    }
}
