package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/**
 * {@code model.safetensors.index.json}: which shard holds which tensor. Shard names are relative paths that stay inside
 * the directory; symbolic links are followed, since download caches are built of them.
 */
final class ShardIndex {
    static final String FILE_NAME = "model.safetensors.index.json";

    private static final int MAX_SHARDS = 4096;
    private static final int MAX_TENSORS = 1 << 20;

    private final Path file;
    private final Map<String, Path> shardOf = new LinkedHashMap<>();
    private final SequencedSet<Path> shards = new LinkedHashSet<>();
    private final Map<String, Path> pathOf = new HashMap<>();

    private ShardIndex(Path file) {
        this.file = file;
    }

    /** Reads an index; whether its shards are there is not looked at. */
    static ShardIndex read(Path file) {
        ShardIndex index = new ShardIndex(file);
        try (FileMap map = FileMap.open(file)) {
            if (map.size() > SafetensorsFile.MAX_HEADER_BYTES) {
                throw CheckpointException.ofFile(
                        Kind.TOO_LARGE,
                        file,
                        "has " + map.size() + " bytes, at most " + SafetensorsFile.MAX_HEADER_BYTES + " are allowed");
            }
            byte[] json = new byte[(int) map.size()];
            map.copy(0, MemorySegment.ofArray(json));
            StrictJson.readObject(file, json, index::readMember);
        }
        if (index.shards.isEmpty()) {
            throw CheckpointException.ofFile(Kind.MALFORMED, file, "names no tensor under 'weight_map'");
        }
        return index;
    }

    /** The shards, in the order in which the index first names them. */
    SequencedSet<Path> shards() {
        return shards;
    }

    /** Refuses a checkpoint one of whose shards is not there. */
    void requireShards() {
        for (Path shard : shards) {
            if (!Files.exists(shard)) {
                throw CheckpointException.ofFile(
                        Kind.MISSING_SHARD, shard, "is named by " + file.getFileName() + " but is not there");
            }
        }
    }

    /** Refuses a checkpoint in which a tensor is not in the shard that the index names for it. */
    void requireTensors(Map<String, StoredTensor> tensors) {
        shardOf.forEach((name, shard) -> {
            StoredTensor tensor = tensors.get(name);
            if (tensor == null || !tensor.file().path().equals(shard)) {
                throw CheckpointException.ofTensor(
                        Kind.MISSING_TENSOR, shard, name, "is not in the shard that " + file.getFileName() + " names");
            }
        });
    }

    private void readMember(StrictJson json) {
        if (!json.name().equals("weight_map")) {
            json.skip();
            return;
        }
        json.forEachMember(() -> {
            String tensor = json.name();
            json.reading(tensor);
            Path shard = pathOf.computeIfAbsent(json.string(), name -> shard(json, name));
            if (shardOf.putIfAbsent(tensor, shard) != null) {
                throw json.fault(Kind.DUPLICATE, "occurs twice in the index");
            }
            shards.add(shard);
            if (pathOf.size() > MAX_SHARDS || shardOf.size() > MAX_TENSORS) {
                throw json.fault(
                        Kind.TOO_LARGE,
                        "more than " + MAX_TENSORS + " tensors or " + MAX_SHARDS + " shards in the index");
            }
            json.reading(null);
        });
    }

    private Path shard(StrictJson json, String name) {
        try {
            Path relative = Path.of(name).normalize();
            if (!relative.isAbsolute()
                    && !relative.startsWith("..")
                    && !relative.toString().isEmpty()) {
                return file.resolveSibling(relative);
            }
        } catch (InvalidPathException e) {
            // refused below, like every other name that is not a path inside the directory
        }
        throw json.fault(
                Kind.UNSAFE_PATH,
                "its shard " + CheckpointException.quoted(name) + " is not a path inside the checkpoint's directory");
    }
}
