package dev.omlx.text;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A tokenizer in native memory. Uses DJL's raw functions, because its own wrapper truncates at 512 tokens unless told
 * otherwise and fetches masks, spans and token texts that nobody asked for. Thread-safe; the owner closes it.
 */
final class NativeTokenizer implements AutoCloseable {

    private final String name;
    private final TokenizersLibrary library;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private long handle;

    /**
     * @param name what messages call the document
     * @throws TextException if the library refuses the document
     */
    NativeTokenizer(String name, String tokenizerJson) {
        this.name = name;
        library = NativeTokenizerLibrary.load();
        try {
            handle = library.createTokenizerFromString(tokenizerJson);
        } catch (RuntimeException e) {
            throw TextException.broken(name, "is refused by the tokenizer library: " + e.getMessage());
        }
        library.disableTruncation(handle);
        library.disablePadding(handle);
    }

    /**
     * Encodes the text; added tokens are recognised, nothing is put around.
     *
     * @throws TextException if the text needs a token that the vocabulary lacks
     */
    int[] encode(String text) {
        lock.readLock().lock();
        try {
            if (handle == 0) {
                throw new IllegalStateException("the tokenizer is closed");
            }
            long encoding = encodeNatively(text);
            try {
                long[] wide = library.getTokenIds(encoding);
                int[] ids = new int[wide.length];
                for (int i = 0; i < ids.length; i++) {
                    ids[i] = (int) wide[i];
                }
                return ids;
            } finally {
                library.deleteEncoding(encoding);
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    private long encodeNatively(String text) {
        try {
            return library.encode(handle, text, false);
        } catch (RuntimeException e) {
            throw TextException.broken(name, "does not encode every text: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (handle != 0) {
                library.deleteTokenizer(handle);
                handle = 0;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
