package dev.omlx.model.weights;

import dev.omlx.files.JsonFailures;
import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON object read token by token from untrusted bytes, with a bound on its depth and without building a tree, so
 * that memory follows what the reader keeps. Parse errors come out as {@link Kind#MALFORMED}.
 */
final class StrictJson implements AutoCloseable {
    private static final int MAX_DEPTH = 16;
    private static final int SCRATCH_CHARS = 8192;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .build();

    private final Path file;
    private final JsonParser parser;

    private @Nullable String tensor;

    private StrictJson(Path file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /** Reads the one object that the text consists of; {@code members} is called on each member's value. */
    static void readObject(Path file, byte[] text, Consumer<StrictJson> members) {
        requireUtf8(file, text);
        try (StrictJson json = new StrictJson(file, FACTORY.createParser(ObjectReadContext.empty(), text))) {
            json.readRoot(members);
        }
    }

    private void readRoot(Consumer<StrictJson> members) {
        try {
            parser.nextToken();
            forEachMember(() -> members.accept(this));
            if (parser.nextToken() != null) {
                throw fault(Kind.MALFORMED, "there is more text after the JSON object");
            }
        } catch (JacksonException e) {
            throw fault(Kind.MALFORMED, "JSON" + JsonFailures.place(e) + ": " + JsonFailures.reason(e));
        }
    }

    private static void requireUtf8(Path file, byte[] text) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(text);
        CharBuffer scratch = CharBuffer.allocate(SCRATCH_CHARS);
        CoderResult result;
        do {
            result = decoder.decode(in, scratch.clear(), true);
        } while (result.isOverflow());
        if (result.isError()) {
            throw CheckpointException.ofFile(
                    Kind.INVALID_UTF8, file, "JSON: byte " + in.position() + " is not valid UTF-8");
        }
    }

    /** Walks the object that begins at the current token; at each call {@link #name} and the value are current. */
    void forEachMember(Runnable member) {
        requireToken(JsonToken.START_OBJECT, "an object");
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            parser.nextToken();
            member.run();
        }
    }

    /** Walks the array that begins at the current token. */
    void forEachElement(Runnable element) {
        requireToken(JsonToken.START_ARRAY, "an array");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            element.run();
        }
    }

    /** Name of the member whose value is current. */
    String name() {
        String name = parser.currentName();
        return name == null ? "" : name;
    }

    boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    String string() {
        requireToken(JsonToken.VALUE_STRING, "a string");
        return parser.getString();
    }

    /** The current value, an integer; {@code fault} is the kind of one beyond 64 bits. */
    long integer(Kind fault) {
        requireToken(JsonToken.VALUE_NUMBER_INT, "an integer");
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw fault(fault, where() + " is beyond 64 bits");
        }
        return parser.getLongValue();
    }

    void skip() {
        parser.skipChildren();
    }

    /** From here on faults name this tensor; null when none is being read. */
    void reading(@Nullable String tensor) {
        this.tensor = tensor;
    }

    CheckpointException fault(Kind kind, String fault) {
        return tensor == null
                ? CheckpointException.ofFile(kind, file, fault)
                : CheckpointException.ofTensor(kind, file, tensor, fault);
    }

    private void requireToken(JsonToken expected, String what) {
        if (parser.currentToken() != expected) {
            throw fault(Kind.MALFORMED, where() + " is not " + what);
        }
    }

    /** The current value's path, such as {@code /lm_head.weight/shape/0}. */
    private String where() {
        String path = parser.streamReadContext().pathAsPointer().toString();
        return path.isEmpty() ? "JSON" : "JSON: " + CheckpointException.quoted(path);
    }

    @Override
    public void close() {
        parser.close();
    }
}
