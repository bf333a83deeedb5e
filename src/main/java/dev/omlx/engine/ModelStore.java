package dev.omlx.engine;

import dev.omlx.engine.api.EngineException;
import dev.omlx.files.RegularFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds models on disk: by id below the models folder ({@code NAME} or {@code OWNER/NAME}), or by path. */
public final class ModelStore {
    private static final String GGUF = ".gguf";
    private static final String CONFIG = "config.json";

    private final Path root;

    /** @param root the models folder; need not exist */
    public ModelStore(Path root) {
        this.root = root;
    }

    /**
     * The model of that id, or at that path.
     *
     * @param name an id, a directory, or a {@code .gguf} file
     * @throws EngineException.ModelNotFound if there is none
     */
    public ModelLocation find(String name) {
        Optional<Path> own = resolve(root, name).filter(this::isBelowRoot).flatMap(ModelStore::modelIn);
        if (own.isPresent()) {
            return new ModelLocation(name, own.get());
        }
        return resolve(Path.of(""), name)
                .flatMap(ModelStore::modelIn)
                .map(path -> new ModelLocation(idOf(path), path))
                .orElseThrow(() -> new EngineException.ModelNotFound(name, reason(name)));
    }

    private String reason(String name) {
        boolean exists = resolve(root, name).filter(Files::exists).isPresent()
                || resolve(Path.of(""), name).filter(Files::exists).isPresent();
        return exists && !name.isEmpty()
                ? "there is something of that name, but it is neither a .gguf file nor a folder with a config.json or one"
                        + " .gguf file"
                : "it is neither below " + root + " nor a path";
    }

    /** All models below the models folder, by id. */
    public List<ModelLocation> list() {
        List<ModelLocation> found = new ArrayList<>();
        for (Path folder : children(root)) {
            String name = folder.getFileName().toString();
            Optional<Path> model = modelIn(folder);
            if (model.isPresent()) {
                found.add(new ModelLocation(name, model.get()));
            } else {
                for (Path inner :
                        children(folder).stream().filter(Files::isDirectory).toList()) {
                    modelIn(inner)
                            .ifPresent(path -> found.add(new ModelLocation(name + "/" + inner.getFileName(), path)));
                }
            }
        }
        return found;
    }

    private boolean isBelowRoot(Path path) {
        return path.toAbsolutePath()
                        .normalize()
                        .startsWith(root.toAbsolutePath().normalize())
                && !path.equals(root);
    }

    private static Optional<Path> resolve(Path base, String name) {
        try {
            return Optional.of(base.resolve(name));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Goes by names alone: whoever reads the files says best what is wrong with one, such as a link to itself. */
    private static Optional<Path> modelIn(Path path) {
        if (!Files.isDirectory(path)) {
            return isGguf(path) && RegularFiles.named(path) ? Optional.of(path) : Optional.empty();
        }
        if (RegularFiles.named(path.resolve(CONFIG))) {
            return Optional.of(path);
        }
        List<Path> ggufs = children(path).stream()
                .filter(file -> isGguf(file) && !Files.isDirectory(file))
                .toList();
        return ggufs.size() == 1 ? Optional.of(ggufs.getFirst()) : Optional.empty();
    }

    private static boolean isGguf(Path file) {
        return file.toString().endsWith(GGUF);
    }

    private static String idOf(Path path) {
        String name = path.toAbsolutePath().normalize().getFileName().toString();
        return name.endsWith(GGUF) ? name.substring(0, name.length() - GGUF.length()) : name;
    }

    private static List<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
