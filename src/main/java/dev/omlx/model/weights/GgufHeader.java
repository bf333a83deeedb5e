package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The head of a GGUF file: magic, version, the two counts, metadata and tensor descriptions. The data section begins at
 * the next multiple of {@code general.alignment}; tensors' offsets count from there.
 */
final class GgufHeader {
    static final int DEFAULT_ALIGNMENT = 32;
    static final String ALIGNMENT_KEY = "general.alignment";

    private static final int MAGIC = 0x46554747; // "GGUF", little-endian
    private static final int MAX_ALIGNMENT = 1 << 20;
    private static final int MAX_NAME_BYTES = 65_535;
    private static final int MAX_ARRAY_DEPTH = 4;
    /** The most strings and arrays that all arrays together may hold; vocabularies and merges have under a million. */
    private static final int MAX_ARRAY_OBJECTS = 1 << 22;
    /** The fewest bytes of a key with its value: length, type, one byte. */
    private static final int MIN_KEY_BYTES = 8 + 4 + 1;
    /** The fewest bytes of a tensor's description: name length, rank, type, offset. */
    private static final int MIN_TENSOR_BYTES = 8 + 4 + 4 + 8;

    private final GgufCursor in;
    private final long fileSize;
    private final TensorLayout layout;
    private final int version;
    private final GgufMetadata metadata;
    private final int alignment;
    private final SequencedMap<String, TensorEntry> entries = new LinkedHashMap<>();
    private long arrayObjects;

    /** Reads and checks the head of a mapped file. */
    GgufHeader(FileMap map) {
        this.in = new GgufCursor(map);
        this.fileSize = map.size();
        this.layout = new TensorLayout(map.path());
        this.version = readVersion();
        long tensors = in.count("tensors", MIN_TENSOR_BYTES);
        long keys = in.count("metadata keys", MIN_KEY_BYTES);
        layout.requireCount(tensors);
        this.metadata = new GgufMetadata(map.path(), readMetadata(keys));
        this.alignment = readAlignment();
        readTensors(tensors);
        layout.requireNoOverlap(entries.values());
    }

    int version() {
        return version;
    }

    GgufMetadata metadata() {
        return metadata;
    }

    int alignment() {
        return alignment;
    }

    SequencedMap<String, TensorEntry> entries() {
        return entries;
    }

    private int readVersion() {
        if (in.int32() != MAGIC) {
            throw in.fault(Kind.UNSUPPORTED_FORMAT, "does not begin with 'GGUF'");
        }
        int read = in.int32();
        if (read == 2 || read == 3) {
            return read;
        }
        boolean bigEndian = read != 0 && (read & 0xFFFF) == 0;
        throw in.fault(
                Kind.UNSUPPORTED_FORMAT,
                bigEndian
                        ? "is a big-endian GGUF file, only little-endian ones are read"
                        : "GGUF version " + Integer.toUnsignedString(read) + ", only 2 and 3 are read");
    }

    private Map<String, GgufValue> readMetadata(long keys) {
        Map<String, GgufValue> values = new LinkedHashMap<>();
        for (long i = 0; i < keys; i++) {
            String key = readName("key", i);
            if (values.putIfAbsent(key, readValue(readType(), 1)) != null) {
                throw in.fault(Kind.DUPLICATE, "occurs twice in the metadata");
            }
        }
        return values;
    }

    /** Reads the name of a key or tensor; from here on faults name it, until then its number. */
    private String readName(String what, long number) {
        in.reading(what, "#" + number);
        String name = in.string(MAX_NAME_BYTES);
        if (name.isEmpty()) {
            throw in.fault(Kind.MALFORMED, "has an empty name");
        }
        in.reading(what, name);
        return name;
    }

    private GgufType readType() {
        int id = in.int32();
        return GgufType.of(id)
                .orElseThrow(() -> in.fault(Kind.UNKNOWN_TYPE, "unknown value type " + Integer.toUnsignedString(id)));
    }

    private GgufValue readValue(GgufType type, int depth) {
        return switch (type) {
            case STRING -> new GgufValue.Text(in.string(Integer.MAX_VALUE));
            case ARRAY -> readArray(depth);
            default -> packed(type, 1).get(0);
        };
    }

    private GgufValue readArray(int depth) {
        if (depth > MAX_ARRAY_DEPTH) {
            throw in.fault(Kind.TOO_LARGE, "arrays nested deeper than " + MAX_ARRAY_DEPTH);
        }
        GgufType type = readType();
        long count = in.count("array elements", type.minBytes());
        if (type == GgufType.STRING || type == GgufType.ARRAY) {
            arrayObjects += count;
            if (arrayObjects > MAX_ARRAY_OBJECTS) {
                throw in.fault(Kind.TOO_LARGE, "more than " + MAX_ARRAY_OBJECTS + " strings and arrays in arrays");
            }
        }
        return switch (type) {
            case STRING -> {
                List<String> texts = new ArrayList<>();
                for (long i = 0; i < count; i++) {
                    texts.add(in.string(Integer.MAX_VALUE));
                }
                yield new GgufValue.Texts(texts);
            }
            case ARRAY -> {
                List<GgufValue> arrays = new ArrayList<>();
                for (long i = 0; i < count; i++) {
                    arrays.add(readArray(depth + 1));
                }
                yield new GgufValue.Nested(arrays);
            }
            default -> packed(type, count);
        };
    }

    private GgufValue.Packed packed(GgufType type, long count) {
        byte[] bytes = in.bytes(count * type.minBytes());
        if (type == GgufType.BOOL) {
            for (byte b : bytes) {
                if (b != 0 && b != 1) {
                    throw in.fault(Kind.MALFORMED, "a truth value is " + b + ", not 0 or 1");
                }
            }
        }
        return new GgufValue.Packed(type, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    private int readAlignment() {
        in.reading("key", ALIGNMENT_KEY);
        long value = metadata.findLong(ALIGNMENT_KEY).orElse(DEFAULT_ALIGNMENT);
        if (value < 1 || value > MAX_ALIGNMENT || Long.bitCount(value) != 1) {
            throw in.fault(Kind.BAD_ALIGNMENT, "is " + value + ", not a power of two from 1 to " + MAX_ALIGNMENT);
        }
        return (int) value;
    }

    private void readTensors(long count) {
        Map<String, Description> descriptions = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            String name = readName("tensor", i);
            if (descriptions.putIfAbsent(name, readTensor(name)) != null) {
                throw in.fault(Kind.DUPLICATE, "occurs twice in the header");
            }
        }
        long dataStart = Math.ceilDiv(in.position(), alignment) * alignment;
        descriptions.forEach((name, description) -> {
            in.reading("tensor", name);
            entries.put(name, place(description, dataStart));
        });
    }

    private Description readTensor(String name) {
        long rank = Integer.toUnsignedLong(in.int32());
        layout.requireRank(name, rank);
        List<Integer> shape = new ArrayList<>();
        for (int i = 0; i < rank; i++) {
            shape.addFirst(layout.dimension(name, in.int64()));
        }
        int id = in.int32();
        StoredType type = StoredType.ofGguf(id)
                .orElseThrow(() -> in.fault(Kind.UNKNOWN_TYPE, "unknown element type " + Integer.toUnsignedString(id)));
        return new Description(name, type, shape, in.int64());
    }

    private TensorEntry place(Description tensor, long dataStart) {
        long length = layout.byteLength(tensor.name, tensor.type, tensor.shape);
        if (tensor.offset < 0) {
            throw in.fault(Kind.BAD_OFFSETS, "offset " + Long.toUnsignedString(tensor.offset) + " is out of range");
        }
        if (tensor.offset % alignment != 0) {
            throw in.fault(Kind.BAD_ALIGNMENT, "offset " + tensor.offset + " is not a multiple of " + alignment);
        }
        long available = Math.max(0, fileSize - dataStart);
        if (length > available || tensor.offset > available - length) {
            throw in.fault(
                    Kind.TRUNCATED,
                    length + " bytes from offset " + tensor.offset + " of the data section, which has " + available);
        }
        return new TensorEntry(tensor.name, tensor.type, tensor.shape, dataStart + tensor.offset, length);
    }

    /** A tensor as the header describes it, before the data section's place is known. */
    private record Description(String name, StoredType type, List<Integer> shape, long offset) {}
}
