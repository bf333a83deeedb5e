package dev.omlx.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** What became of a file; many of Java's exceptions tell it by their type alone. */
public final class FileFailures {
    private FileFailures() {}

    /** Why the file could not be used, without its path. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException missing -> "no such file or folder";
            case AccessDeniedException denied -> "permission denied";
            case FileAlreadyExistsException taken -> "something else has that name";
            case NotDirectoryException file -> "not a folder";
            case DirectoryNotEmptyException full -> "the folder is not empty";
            case FileSystemException other -> said(other.getReason(), other);
            default -> said(failure.getMessage(), failure);
        };
    }

    private static String said(@Nullable String text, IOException failure) {
        return text == null ? failure.getClass().getSimpleName() : text;
    }
}
