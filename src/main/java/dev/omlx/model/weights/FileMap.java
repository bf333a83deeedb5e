package dev.omlx.model.weights;

import dev.omlx.files.FileFailures;
import dev.omlx.model.weights.CheckpointException.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A whole regular file mapped read-only. Any thread may read; the owner closes, once no other thread is reading.
 *
 * <p>When someone truncates the file, pages behind its new end are gone and touching them is an {@link InternalError}.
 * A bulk copy reports that on the spot, other accesses at some later point; so everything here is copied out first, and
 * {@link #copy} is the only way in.
 */
final class FileMap implements AutoCloseable {
    private final Path path;
    private final Arena arena;
    private final MemorySegment bytes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private FileMap(Path path, Arena arena, MemorySegment bytes) {
        this.path = path;
        this.arena = arena;
        this.bytes = bytes;
    }

    /** Maps the file; an empty one is {@link Kind#TRUNCATED}. */
    @SuppressWarnings("MustBeClosedChecker") // closed by close(), or below when nothing comes of it
    static FileMap open(Path path) {
        requireRegularFile(path);
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size == 0) {
                throw CheckpointException.ofFile(Kind.TRUNCATED, path, "the file is empty");
            }
            return new FileMap(path, arena, channel.map(MapMode.READ_ONLY, 0, size, arena));
        } catch (IOException e) {
            arena.close();
            throw unreadable(path, e);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /** Refuses what is not there or not a regular file: opening a pipe would wait for its writer. */
    private static void requireRegularFile(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                String what = attributes.isDirectory() ? "is a directory" : "is not a regular file";
                throw CheckpointException.ofFile(Kind.NOT_A_FILE, path, what);
            }
        } catch (NoSuchFileException e) {
            throw CheckpointException.ofFile(Kind.NOT_FOUND, path, "there is no such file", e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    static CheckpointException unreadable(Path path, IOException e) {
        return CheckpointException.ofFile(Kind.UNREADABLE, path, "cannot be read: " + FileFailures.reason(e), e);
    }

    Path path() {
        return path;
    }

    long size() {
        return bytes.byteSize();
    }

    /** The mapped bytes themselves, borrowed until {@link #close}. */
    MemorySegment slice(long offset, long length) {
        if (closed.get()) {
            throw new IllegalStateException(path + " is closed");
        }
        return bytes.asSlice(offset, length);
    }

    /**
     * Copies as many bytes as {@code target} has.
     *
     * @throws CheckpointException {@link Kind#CHANGED} if the file has been cut since it was opened
     */
    void copy(long offset, MemorySegment target) {
        try {
            MemorySegment.copy(bytes, offset, target, 0, target.byteSize());
            // the JVM reports a fault in the map late, but at the latest when a system call returns: make one here
            if (Files.size(path) >= bytes.byteSize()) {
                return;
            }
            throw changed(null);
        } catch (InternalError | IOException e) {
            throw changed(e);
        }
    }

    private CheckpointException changed(@Nullable Throwable cause) {
        return CheckpointException.ofFile(
                Kind.CHANGED, path, "was truncated while it was being read; download it again", cause);
    }

    /** Unmaps; a second call does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            arena.close();
        }
    }
}
