package dev.omlx.text;

import org.jspecify.annotations.Nullable;

/** A tokenizer or a chat template that cannot do what was asked; the message names the file or the reason. */
public final class TextException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What went wrong, for those who map it to an answer. */
    public enum Kind {
        /** The model has no tokenizer file this server can read. */
        TOKENIZER_MISSING,
        /** A tokenizer file is damaged or contradicts itself. */
        TOKENIZER_BROKEN,
        /** The tokenizer is well-formed, but of a kind this server does not know. */
        TOKENIZER_UNSUPPORTED,
        /** The tokenizer's native library cannot be unpacked or loaded: the machine's to change, not the model's. */
        LIBRARY_UNUSABLE,
        /** The model has no chat template, so it can complete text but not chat. */
        TEMPLATE_MISSING,
        /** The chat template cannot be compiled. */
        TEMPLATE_BROKEN,
        /** The chat template refused this conversation and said why: the caller's to change. */
        TEMPLATE_RAISED,
        /** The chat template failed while rendering, mostly on a conversation of a shape it was not written for. */
        TEMPLATE_FAILED
    }

    private final Kind kind;

    TextException(Kind kind, String message) {
        this(kind, message, null);
    }

    TextException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    static TextException broken(String file, String fault) {
        return new TextException(Kind.TOKENIZER_BROKEN, file + ": " + fault);
    }

    static TextException unsupported(String file, String what) {
        return new TextException(Kind.TOKENIZER_UNSUPPORTED, file + ": " + what);
    }
}
