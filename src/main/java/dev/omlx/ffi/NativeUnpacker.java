package dev.omlx.ffi;

import dev.omlx.files.FileFailures;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
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

    private static final System.Logger LOG = System.getLogger(NativeUnpacker.class.getName());
    private static final String TEMPORARY = "unpacking-";
    private static final Duration UNPACKING_TAKES_AT_MOST = Duration.ofHours(1);
    private static final Duration KEPT_UNUSED = Duration.ofDays(30);

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
                deleteUnused();
                Path fresh = Files.createTempDirectory(cache, TEMPORARY);
                try {
                    for (NativeManifest.Entry file : manifest.get().files()) {
                        unpack(file, fresh);
                    }
                    moveIntoPlace(fresh, folder, manifest.get());
                } finally {
                    delete(fresh);
                }
            }
            markUsed(folder);
            return Optional.of(folder);
        } catch (IOException e) {
            throw new NativeLibraryException(
                    "can't unpack the native library to " + cache + ": " + FileFailures.reason(e), e);
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
            // damaged from outside; moved away first so that the name is free at once
            Path damaged = Files.createTempDirectory(cache, TEMPORARY);
            try {
                Files.move(folder, damaged.resolve(folder.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException e) {
                LOG.log(System.Logger.Level.DEBUG, "another process was quicker", e);
            }
            delete(damaged);
        }
        try {
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!isWhole(folder, manifest)) {
                throw e;
            }
        }
    }

    /** Removes our other versions that no start has used for a month, and what killed starts left. */
    private void deleteUnused() throws IOException {
        Instant now = Instant.now();
        try (Stream<Path> folders = Files.list(cache)) {
            for (Path folder : folders.toList()) {
                String name = folder.getFileName().toString();
                boolean temporary = name.startsWith(TEMPORARY);
                boolean ours = temporary || NativeManifest.isHash(name);
                Instant limit = now.minus(temporary ? UNPACKING_TAKES_AT_MOST : KEPT_UNUSED);
                if (ours && Files.getLastModifiedTime(folder).toInstant().isBefore(limit)) {
                    delete(folder);
                }
            }
        } catch (NoSuchFileException e) {
            LOG.log(System.Logger.Level.DEBUG, "another process was quicker", e);
        }
    }

    private static void markUsed(Path folder) {
        try {
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "read-only: " + folder, e);
        }
    }

    /** As far as possible: what stays behind harms nobody and goes another time. */
    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.log(System.Logger.Level.DEBUG, "left behind: " + folder, e);
        }
    }
}
