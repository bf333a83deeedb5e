package dev.omlx.ffi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Unpacks the native library that the application's jar carries into {@code <cache>/<hash of the manifest>}.
 *
 * <p>The folder appears by one atomic rename, so it is whole or absent, and several processes may start at once: each
 * unpacks into its own temporary folder, one rename wins, the others use the winner's.
 */
final class NativeUnpacker {

    private final NativeFiles source;
    private final Path cache;

    NativeUnpacker(NativeFiles source, Path cache) {
        this.source = source;
        this.cache = cache;
    }

    /**
     * The folder with the unpacked library; empty if the source carries none.
     *
     * @throws NativeLibraryException if a file is missing from the source or doesn't match the manifest
     */
    Optional<Path> unpack() {
        try {
            Optional<NativeManifest> manifest = manifest();
            if (manifest.isEmpty()) {
                return Optional.empty();
            }
            Path folder = cache.resolve(manifest.get().hash());
            if (!isWhole(folder, manifest.get())) {
                Files.createDirectories(cache);
                Path fresh = Files.createTempDirectory(cache, "unpacking-");
                try {
                    for (NativeManifest.Entry file : manifest.get().files()) {
                        unpack(file, fresh);
                    }
                    moveIntoPlace(fresh, folder, manifest.get());
                } finally {
                    delete(fresh);
                }
            }
            return Optional.of(folder);
        } catch (IOException e) {
            throw new NativeLibraryException("can't unpack the native library to " + cache + ": " + e, e);
        }
    }

    private Optional<NativeManifest> manifest() throws IOException {
        try (InputStream in = source.open(NativeManifest.FILE_NAME)) {
            return in == null ? Optional.empty() : Optional.of(NativeManifest.parse(in.readAllBytes()));
        }
    }

    private static boolean isWhole(Path folder, NativeManifest manifest) throws IOException {
        for (NativeManifest.Entry file : manifest.files()) {
            Path path = folder.resolve(file.name());
            if (!Files.isRegularFile(path) || Files.size(path) != file.bytes()) {
                return false;
            }
        }
        return true;
    }

    private void unpack(NativeManifest.Entry file, Path folder) throws IOException {
        MessageDigest digest = NativeManifest.sha256();
        try (InputStream in = source.open(file.name())) {
            if (in == null) {
                throw new NativeLibraryException("the application's jar lacks " + file.name() + "; build it again");
            }
            try (OutputStream out =
                    new DigestOutputStream(Files.newOutputStream(folder.resolve(file.name())), digest)) {
                in.transferTo(out);
            }
        }
        if (!HexFormat.of().formatHex(digest.digest()).equals(file.sha256())) {
            throw new NativeLibraryException(
                    file.name() + " in the application's jar doesn't match its checksum; build it again");
        }
    }

    private void moveIntoPlace(Path fresh, Path folder, NativeManifest manifest) throws IOException {
        if (Files.exists(folder) && !isWhole(folder, manifest)) {
            // damaged from outside: set aside rather than deleted in place, another process may be looking at it
            Path damaged = Files.createTempDirectory(cache, "damaged-");
            Files.move(folder, damaged.resolve(folder.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            delete(damaged);
        }
        try {
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (DirectoryNotEmptyException | FileAlreadyExistsException e) {
            if (!isWhole(folder, manifest)) {
                throw e;
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
