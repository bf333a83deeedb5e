package dev.omlx.model.weights;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a checkpoint. The message is one line that names the file, the tensor or metadata key where there
 * is one, and the fault; text taken from the file is shortened and its control characters are escaped.
 */
public final class CheckpointException extends RuntimeException {
    private static final int MAX_QUOTED = 160;
    private static final int MAX_FAULT = 400;
    private static final int MAX_LISTED = 5;

    private final Kind kind;
    private final transient Path file;
    private final @Nullable String subject;

    /** The kinds of fault, from the file as a whole down to single values. */
    public enum Kind {
        /** There is no such file, or the directory holds no weights. */
        NOT_FOUND,
        /** A directory, pipe or device stands where a file should. */
        NOT_A_FILE,
        /** The operating system refused to open or map the file. */
        UNREADABLE,
        /** A directory holds several files, any of which could be meant. */
        AMBIGUOUS,
        /** Not a format, version or byte order that is read here. */
        UNSUPPORTED_FORMAT,
        /** Something reaches beyond the end of the file. */
        TRUNCATED,
        /** A size or count is above its limit. */
        TOO_LARGE,
        /** The header does not follow the format. */
        MALFORMED,
        /** Text is not valid UTF-8. */
        INVALID_UTF8,
        /** A tensor or key occurs twice. */
        DUPLICATE,
        /** An element or value type that the format does not define. */
        UNKNOWN_TYPE,
        /** A known element type that cannot be converted here. */
        UNSUPPORTED_TYPE,
        /** A shape that no tensor can have. */
        BAD_SHAPE,
        /** A byte range that is negative or reversed. */
        BAD_OFFSETS,
        /** An alignment that is not sensible, or an offset that does not keep to it. */
        BAD_ALIGNMENT,
        /** A byte range whose length is not what shape and type need. */
        LENGTH_MISMATCH,
        /** Two tensors share bytes. */
        OVERLAP,
        /** Bytes of the data section belong to no tensor. */
        GAP,
        /** A shard's path leads out of the checkpoint's directory. */
        UNSAFE_PATH,
        /** A shard is not there. */
        MISSING_SHARD,
        /** A tensor that the model needs, or that the index names, is not there. */
        MISSING_TENSOR,
        /** Tensors that the model does not know. */
        UNEXPECTED_TENSOR,
        /** A tensor's shape is not the one that the model needs. */
        WRONG_SHAPE,
        /** A tensor's element type is not one that the model can take. */
        WRONG_TYPE,
        /** A metadata key that is needed is not there. */
        MISSING_KEY,
        /** A metadata value is of another type or outside its range. */
        WRONG_VALUE,
        /** The file was cut or replaced while it was being read. */
        CHANGED
    }

    private CheckpointException(
            Kind kind, Path file, @Nullable String subject, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.file = file;
        this.subject = subject;
    }

    /** The tensor has another shape than the model needs. */
    public static CheckpointException wrongShape(
            Path file, String tensor, List<Integer> expected, List<Integer> actual) {
        return ofTensor(Kind.WRONG_SHAPE, file, tensor, "shape " + actual + ", expected " + expected);
    }

    /** The tensor has another element type than the model can take. */
    public static CheckpointException wrongType(
            Path file, String tensor, Collection<StoredType> expected, StoredType actual) {
        return ofTensor(Kind.WRONG_TYPE, file, tensor, "type " + actual + ", expected one of " + expected);
    }

    /** The model needs a tensor that the checkpoint does not have. */
    public static CheckpointException missingTensor(Path file, String tensor) {
        return ofTensor(Kind.MISSING_TENSOR, file, tensor, "is not in the checkpoint");
    }

    /** The checkpoint has tensors that the model does not know; the first few are named. */
    public static CheckpointException unexpectedTensors(Path file, Collection<String> tensors) {
        String first = tensors.iterator().next();
        String others = tensors.size() == 1
                ? ""
                : ", as are "
                        + String.join(
                                ", ",
                                tensors.stream()
                                        .skip(1)
                                        .limit(MAX_LISTED)
                                        .map(CheckpointException::quoted)
                                        .toList())
                        + (tensors.size() > MAX_LISTED + 1
                                ? " and " + (tensors.size() - MAX_LISTED - 1) + " more"
                                : "");
        return ofTensor(Kind.UNEXPECTED_TENSOR, file, first, "is unknown to the model" + others);
    }

    static CheckpointException ofFile(Kind kind, Path file, String fault) {
        return ofFile(kind, file, fault, null);
    }

    static CheckpointException ofFile(Kind kind, Path file, String fault, @Nullable Throwable cause) {
        return new CheckpointException(kind, file, null, nameOf(file) + ": " + printable(fault, MAX_FAULT), cause);
    }

    static CheckpointException ofTensor(Kind kind, Path file, String tensor, String fault) {
        return of(kind, file, "tensor", tensor, fault);
    }

    static CheckpointException ofKey(Kind kind, Path file, String key, String fault) {
        return of(kind, file, "key", key, fault);
    }

    static CheckpointException of(Kind kind, Path file, String what, String subject, String fault) {
        String message = nameOf(file) + ": " + what + " " + quoted(subject) + ": " + printable(fault, MAX_FAULT);
        return new CheckpointException(kind, file, subject, message, null);
    }

    public Kind kind() {
        return kind;
    }

    /** The file at fault, or the directory when it is the checkpoint as a whole. */
    public Path file() {
        return file;
    }

    /** The name of the tensor or metadata key at fault, as it stands in the file. */
    public Optional<String> subject() {
        return Optional.ofNullable(subject);
    }

    static String quoted(String text) {
        return "'" + printable(text, MAX_QUOTED) + "'";
    }

    private static String nameOf(Path file) {
        return printable(file.toString(), Integer.MAX_VALUE);
    }

    private static String printable(String text, int limit) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), limit) + 1);
        for (int i = 0; i < text.length() && i < limit; i++) {
            char c = text.charAt(i);
            switch (Character.getType(c)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR,
                        Character.UNASSIGNED -> line.append("\\u%04x".formatted((int) c));
                default -> line.append(c);
            }
        }
        return text.length() > limit ? line.append('…').toString() : line.toString();
    }
}
