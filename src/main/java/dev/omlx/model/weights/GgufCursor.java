package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Reads the head of a GGUF file from front to back, little-endian, through a small window of heap memory. Nothing is
 * allocated for a claimed size before the file is known to hold that much.
 */
final class GgufCursor {
    /** How far the metadata and tensor descriptions may reach; vocabularies of real models take about 20 MB. */
    static final int MAX_HEAD_BYTES = 100_000_000;

    private static final int WINDOW_BYTES = 1 << 16;

    private final FileMap map;
    private final long end;
    private final byte[] windowBytes;
    private final ByteBuffer window;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
    private long windowEnd;
    private String what = "header";
    private String subject = "";

    GgufCursor(FileMap map) {
        this.map = map;
        this.end = Math.min(map.size(), MAX_HEAD_BYTES);
        this.windowBytes = new byte[(int) Math.min(WINDOW_BYTES, end)];
        this.window =
                ByteBuffer.wrap(windowBytes).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    }

    /** From here on faults name this, such as {@code key 'general.alignment'}. */
    void reading(String what, String subject) {
        this.what = what;
        this.subject = subject;
    }

    CheckpointException fault(Kind kind, String fault) {
        return subject.isEmpty()
                ? CheckpointException.ofFile(kind, map.path(), fault)
                : CheckpointException.of(kind, map.path(), what, subject, fault);
    }

    /** Offset in the file of the next byte. */
    long position() {
        return windowEnd - window.remaining();
    }

    /** Bytes that may still be read. */
    long remaining() {
        return end - position();
    }

    int int32() {
        return need(Integer.BYTES).getInt();
    }

    long int64() {
        return need(Long.BYTES).getLong();
    }

    /** A 64-bit count of things that take at least {@code minBytes} each. */
    long count(String things, int minBytes) {
        long count = int64();
        if (count < 0 || count > remaining() / minBytes) {
            throw beyondEnd(Long.toUnsignedString(count) + " " + things + " cannot fit");
        }
        return count;
    }

    /** A string: 64-bit length and that many bytes of UTF-8. */
    String string(int maxBytes) {
        long length = int64();
        if (length < 0 || length > remaining()) {
            throw beyondEnd("a string of " + Long.toUnsignedString(length) + " bytes cannot fit");
        }
        if (length > maxBytes) {
            throw fault(Kind.TOO_LARGE, "a string of " + length + " bytes, at most " + maxBytes + " are allowed");
        }
        if (length == 0) {
            return "";
        }
        return length <= windowBytes.length ? shortString((int) length) : decode(ByteBuffer.wrap(bytes(length)));
    }

    /** The next {@code length} bytes. */
    byte[] bytes(long length) {
        if (length > remaining()) {
            throw beyondEnd(length + " bytes cannot fit");
        }
        byte[] bytes = new byte[Math.toIntExact(length)];
        if (length <= windowBytes.length) {
            need(bytes.length).get(bytes);
            return bytes;
        }
        long position = position();
        map.copy(position, MemorySegment.ofArray(bytes));
        window.limit(0);
        windowEnd = position + length;
        return bytes;
    }

    private String shortString(int length) {
        ByteBuffer in = need(length);
        int limit = in.limit();
        String text = decode(in.limit(in.position() + length));
        in.limit(limit);
        return text;
    }

    private String decode(ByteBuffer in) {
        long start = position();
        try {
            return utf8.decode(in).toString();
        } catch (CharacterCodingException e) {
            throw fault(Kind.INVALID_UTF8, "the text at byte " + start + " is not valid UTF-8");
        }
    }

    /** The window with at least that many bytes in it. */
    private ByteBuffer need(int bytes) {
        if (window.remaining() < bytes) {
            refill(bytes);
        }
        return window;
    }

    private void refill(int bytes) {
        if (bytes > remaining()) {
            throw beyondEnd(bytes + " bytes more cannot fit");
        }
        long position = position();
        int length = (int) Math.min(windowBytes.length, end - position);
        map.copy(position, MemorySegment.ofArray(windowBytes).asSlice(0, length));
        window.position(0).limit(length);
        windowEnd = position + length;
    }

    private CheckpointException beyondEnd(String fault) {
        long left = remaining();
        return end == map.size()
                ? fault(Kind.TRUNCATED, fault + " in the " + left + " bytes left of the file")
                : fault(Kind.TOO_LARGE, fault + " in the first " + end + " bytes, which is all a header may take");
    }
}
