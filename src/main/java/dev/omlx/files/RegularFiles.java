package dev.omlx.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Reads files of folders that came from anywhere, where a folder, a pipe or a broken link may have a file's name. */
public final class RegularFiles {
    private RegularFiles() {}

    /** Whether anything has that name, be it a link that leads nowhere. */
    public static boolean named(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * All of the file's bytes.
     *
     * @throws IOException if it is no regular file, or cannot be read; {@link FileFailures#reason} says why
     */
    public static byte[] read(Path file) throws IOException {
        requireRegular(file);
        return Files.readAllBytes(file);
    }

    /**
     * All of the file's text, which is UTF-8.
     *
     * @throws java.nio.charset.CharacterCodingException if it is not
     * @throws IOException as {@link #read}
     */
    public static String readText(Path file) throws IOException {
        requireRegular(file);
        return Files.readString(file);
    }

    /** Opening a pipe would wait for its writer. */
    private static void requireRegular(Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                String what = attributes.isDirectory() ? "it is a folder" : "it is no regular file";
                throw new FileSystemException(file.toString(), null, what);
            }
        } catch (NoSuchFileException e) {
            throw named(file)
                    ? new FileSystemException(file.toString(), null, "it is a link to a file that is not there")
                    : e;
        }
    }
}
