package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which files make up the checkpoint at a path.
 *
 * @param files in the order in which they are opened; never empty
 * @param index what names them, if anything does
 */
record CheckpointFiles(List<Path> files, @Nullable ShardIndex index) {
    private static final String SINGLE = "model.safetensors";
    private static final String SAFETENSORS = ".safetensors";
    private static final String GGUF = ".gguf";
    private static final Pattern NUMBERED = Pattern.compile("(.+)-(\\d{5})-of-(\\d{5})\\.safetensors");
    /** Hidden files, adapters, vision projectors, and the original-layout duplicate that some publishers add. */
    private static final Pattern NOT_WEIGHTS =
            Pattern.compile("\\..*|adapters?\\.safetensors|adapter_model.*|mmproj.*|consolidated.*");

    /** Looks at a file or at what a directory holds. */
    static CheckpointFiles at(Path path) {
        if (!Files.isDirectory(path)) {
            return of(path);
        }
        Path single = path.resolve(SINGLE);
        Path indexFile = path.resolve(ShardIndex.FILE_NAME);
        if (Files.exists(indexFile)) {
            ShardIndex index = ShardIndex.read(indexFile);
            if (index.shards().contains(single) || !Files.exists(single)) {
                index.requireShards();
                return new CheckpointFiles(List.copyOf(index.shards()), index);
            }
        }
        return Files.exists(single) ? of(single) : search(path);
    }

    private static CheckpointFiles search(Path directory) {
        List<Path> safetensors = list(directory, SAFETENSORS);
        if (safetensors.size() == 1 && !isNumbered(safetensors.getFirst())) {
            return of(safetensors.getFirst());
        }
        if (!safetensors.isEmpty()) {
            return numbered(directory, safetensors);
        }
        List<Path> gguf = list(directory, GGUF);
        return switch (gguf.size()) {
            case 0 ->
                throw CheckpointException.ofFile(
                        Kind.NOT_FOUND, directory, "holds no weights: no " + SAFETENSORS + " and no " + GGUF + " file");
            case 1 -> of(gguf.getFirst());
            default -> throw ambiguous(directory, gguf);
        };
    }

    /** Shards that have lost their index, told by names such as {@code model-00001-of-00002.safetensors}. */
    private static CheckpointFiles numbered(Path directory, List<Path> found) {
        Matcher first = NUMBERED.matcher(found.getFirst().getFileName().toString());
        if (!first.matches()) {
            throw ambiguous(directory, found);
        }
        int total = Integer.parseInt(first.group(3));
        List<Path> shards = new ArrayList<>();
        for (int i = 1; i <= total; i++) {
            Path shard = directory.resolve("%s-%05d-of-%05d.safetensors".formatted(first.group(1), i, total));
            if (!found.contains(shard)) {
                throw CheckpointException.ofFile(
                        Kind.MISSING_SHARD, shard, "is one of " + total + " shards but is not there");
            }
            shards.add(shard);
        }
        if (shards.size() != found.size()) {
            throw ambiguous(directory, found);
        }
        return new CheckpointFiles(shards, null);
    }

    private static boolean isNumbered(Path file) {
        return NUMBERED.matcher(file.getFileName().toString()).matches();
    }

    private static CheckpointFiles of(Path file) {
        return new CheckpointFiles(List.of(file), null);
    }

    /** Maps and checks one file, in the format that its name tells. */
    static WeightFile open(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(GGUF)) {
            return GgufFile.open(file);
        }
        if (name.endsWith(SAFETENSORS)) {
            return SafetensorsFile.open(file);
        }
        throw CheckpointException.ofFile(
                Files.exists(file) ? Kind.UNSUPPORTED_FORMAT : Kind.NOT_FOUND,
                file,
                Files.exists(file)
                        ? "is neither a " + SAFETENSORS + " nor a " + GGUF + " file"
                        : "there is no such file");
    }

    private static List<Path> list(Path directory, String suffix) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.endsWith(suffix)
                                && !NOT_WEIGHTS.matcher(name).matches();
                    })
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw FileMap.unreadable(directory, e);
        }
    }

    private static CheckpointException ambiguous(Path directory, List<Path> files) {
        return CheckpointException.ofFile(
                Kind.AMBIGUOUS,
                directory,
                "holds several weight files, name one of them: "
                        + files.stream()
                                .map(file -> file.getFileName().toString())
                                .toList());
    }
}
