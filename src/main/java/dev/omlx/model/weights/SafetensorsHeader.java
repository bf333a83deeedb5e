package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON header of a safetensors file: for each tensor {@code {"dtype": …, "shape": […], "data_offsets": [begin,
 * end]}}, with offsets from the start of the data section, and optionally {@code __metadata__} from strings to strings.
 */
final class SafetensorsHeader {
    private static final String METADATA = "__metadata__";

    private final Path file;
    private final TensorLayout layout;
    private final long dataStart;
    private final long dataEnd;
    private final SequencedMap<String, TensorEntry> entries = new LinkedHashMap<>();
    private @Nullable Map<String, String> metadata;

    /**
     * Reads and checks a header.
     *
     * @param dataStart first byte of the data section in the file
     * @param dataEnd size of the file
     */
    SafetensorsHeader(Path file, byte[] json, long dataStart, long dataEnd) {
        this.file = file;
        this.layout = new TensorLayout(file);
        this.dataStart = dataStart;
        this.dataEnd = dataEnd;
        StrictJson.readObject(file, json, this::readMember);
        layout.requireTiling(entries.values(), dataStart, dataEnd);
    }

    SequencedMap<String, TensorEntry> entries() {
        return entries;
    }

    Map<String, String> metadata() {
        return metadata == null ? Map.of() : metadata;
    }

    private void readMember(StrictJson json) {
        String name = json.name();
        if (name.equals(METADATA)) {
            readMetadata(json);
            return;
        }
        layout.requireCount(entries.size() + 1);
        json.reading(name);
        TensorEntry entry = readTensor(name, json);
        if (entries.putIfAbsent(name, entry) != null) {
            throw json.fault(Kind.DUPLICATE, "occurs twice in the header");
        }
        json.reading(null);
    }

    private void readMetadata(StrictJson json) {
        if (metadata != null) {
            throw CheckpointException.ofKey(Kind.DUPLICATE, file, METADATA, "occurs twice in the header");
        }
        Map<String, String> read = new LinkedHashMap<>();
        metadata = read;
        if (json.isNull()) {
            // what MLX writes where there is none
            return;
        }
        json.forEachMember(() -> {
            String key = json.name();
            if (read.putIfAbsent(key, json.string()) != null) {
                throw CheckpointException.ofKey(Kind.DUPLICATE, file, key, "occurs twice in " + METADATA);
            }
        });
    }

    private TensorEntry readTensor(String name, StrictJson json) {
        Fields fields = new Fields();
        json.forEachMember(() -> {
            switch (json.name()) {
                case "dtype" -> fields.type = once(json, fields.type, readType(json));
                case "shape" -> fields.shape = once(json, fields.shape, readShape(name, json));
                case "data_offsets" -> fields.offsets = once(json, fields.offsets, readOffsets(json));
                default -> json.skip();
            }
        });
        StoredType type = required(json, fields.type, "dtype");
        List<Integer> shape = required(json, fields.shape, "shape");
        List<Long> offsets = required(json, fields.offsets, "data_offsets");
        return place(json, name, type, shape, offsets);
    }

    private TensorEntry place(StrictJson json, String name, StoredType type, List<Integer> shape, List<Long> offsets) {
        long begin = offsets.getFirst();
        long end = offsets.getLast();
        if (begin < 0 || end < begin) {
            throw json.fault(Kind.BAD_OFFSETS, "data_offsets " + offsets + " are negative or reversed");
        }
        long length = dataEnd - dataStart;
        if (end > length) {
            throw json.fault(
                    Kind.TRUNCATED,
                    "data_offsets " + offsets + " reach beyond the data section of " + length + " bytes");
        }
        long needed = layout.byteLength(name, type, shape);
        if (end - begin != needed) {
            throw json.fault(
                    Kind.LENGTH_MISMATCH,
                    "data_offsets " + offsets + " hold " + (end - begin) + " bytes, " + type + shape + " needs "
                            + needed);
        }
        return new TensorEntry(name, type, shape, dataStart + begin, needed);
    }

    private static StoredType readType(StrictJson json) {
        String dtype = json.string();
        return StoredType.ofSafetensors(dtype)
                .orElseThrow(() -> json.fault(Kind.UNKNOWN_TYPE, "unknown dtype " + CheckpointException.quoted(dtype)));
    }

    private List<Integer> readShape(String name, StrictJson json) {
        List<Integer> shape = new ArrayList<>();
        json.forEachElement(() -> {
            layout.requireRank(name, shape.size() + 1);
            shape.add(layout.dimension(name, json.integer(Kind.BAD_SHAPE)));
        });
        return shape;
    }

    private static List<Long> readOffsets(StrictJson json) {
        List<Long> offsets = new ArrayList<>(2);
        json.forEachElement(() -> {
            offsets.add(json.integer(Kind.BAD_OFFSETS));
            if (offsets.size() > 2) {
                throw json.fault(Kind.MALFORMED, "data_offsets has more than two elements");
            }
        });
        if (offsets.size() < 2) {
            throw json.fault(Kind.MALFORMED, "data_offsets has fewer than two elements");
        }
        return offsets;
    }

    private static <T> T once(StrictJson json, @Nullable T before, T now) {
        if (before != null) {
            throw json.fault(Kind.DUPLICATE, "its field '" + json.name() + "' occurs twice");
        }
        return now;
    }

    private static <T> T required(StrictJson json, @Nullable T field, String name) {
        if (field == null) {
            throw json.fault(Kind.MALFORMED, "has no '" + name + "'");
        }
        return field;
    }

    /** A tensor's description while its members arrive. */
    private static final class Fields {
        @Nullable
        StoredType type;

        @Nullable
        List<Integer> shape;

        @Nullable
        List<Long> offsets;
    }
}
