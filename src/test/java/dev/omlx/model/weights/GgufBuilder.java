package dev.omlx.model.weights;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Writes GGUF files, valid ones by default; every count, length and offset can be set to something else. */
public final class GgufBuilder {
    private final Part metadata = new Part();
    private final Part tensors = new Part();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private int magic = 0x46554747;
    private int version = 3;
    private int alignment = 32;
    private long keyCount;
    private long tensorCount;

    GgufBuilder magic(int value) {
        magic = value;
        return this;
    }

    GgufBuilder version(int value) {
        version = value;
        return this;
    }

    /** Adds {@code general.alignment} and keeps to it. */
    GgufBuilder alignment(int value) {
        alignment = value;
        return key("general.alignment", GgufType.U32, part -> part.int32(value));
    }

    public GgufBuilder string(String key, String value) {
        return key(key, GgufType.STRING, part -> part.string(value));
    }

    public GgufBuilder whole(String key, int value) {
        return key(key, GgufType.I32, part -> part.int32(value));
    }

    public GgufBuilder real(String key, float value) {
        return key(key, GgufType.F32, part -> part.float32(value));
    }

    public GgufBuilder flag(String key, boolean value) {
        return key(key, GgufType.BOOL, part -> part.int8(value ? 1 : 0));
    }

    GgufBuilder key(String key, GgufType type, Consumer<Part> value) {
        return key(key, type.id(), value);
    }

    GgufBuilder key(String key, int type, Consumer<Part> value) {
        value.accept(metadata.string(key).int32(type));
        keyCount++;
        return this;
    }

    GgufBuilder keys(Consumer<Part> raw) {
        raw.accept(metadata);
        keyCount++;
        return this;
    }

    GgufBuilder array(String key, GgufType type, long count, Consumer<Part> elements) {
        return key(
                key,
                GgufType.ARRAY,
                part -> elements.accept(part.int32(type.id()).int64(count)));
    }

    /** A tensor after those before it, with dimensions in GGUF's order. */
    public GgufBuilder tensor(String name, StoredType type, byte[] bytes, long... dims) {
        while (data.size() % alignment != 0) {
            data.write(0);
        }
        describe(name, typeId(type), data.size(), dims);
        data.writeBytes(bytes);
        return this;
    }

    /** A description alone. */
    GgufBuilder describe(String name, int type, long offset, long... dims) {
        tensors.string(name).int32(dims.length);
        for (long dim : dims) {
            tensors.int64(dim);
        }
        tensors.int32(type).int64(offset);
        tensorCount++;
        return this;
    }

    GgufBuilder tensors(Consumer<Part> raw) {
        raw.accept(tensors);
        tensorCount++;
        return this;
    }

    GgufBuilder data(int bytes) {
        data.writeBytes(new byte[bytes]);
        return this;
    }

    GgufBuilder keyCount(long value) {
        keyCount = value;
        return this;
    }

    GgufBuilder tensorCount(long value) {
        tensorCount = value;
        return this;
    }

    byte[] build() {
        Part file = new Part()
                .int32(magic)
                .int32(version)
                .int64(tensorCount)
                .int64(keyCount)
                .bytes(metadata.toBytes())
                .bytes(tensors.toBytes());
        while (alignment > 0 && file.toBytes().length % alignment != 0) {
            file.int8(0);
        }
        return file.bytes(data.toByteArray()).toBytes();
    }

    public Path write(Path path) {
        return SafetensorsBuilder.write(path, build());
    }

    static int typeId(StoredType type) {
        for (int id = 0; id < 100; id++) {
            if (StoredType.ofGguf(id).filter(type::equals).isPresent()) {
                return id;
            }
        }
        throw new IllegalArgumentException(type + " is no GGUF type");
    }

    /** Little-endian bytes being collected. */
    static final class Part {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Part int8(int value) {
            out.write(value);
            return this;
        }

        Part int16(int value) {
            return bytes(buffer(2).putShort((short) value).array());
        }

        Part int32(int value) {
            return bytes(buffer(4).putInt(value).array());
        }

        Part int64(long value) {
            return bytes(buffer(8).putLong(value).array());
        }

        Part float32(float value) {
            return int32(Float.floatToRawIntBits(value));
        }

        Part float64(double value) {
            return int64(Double.doubleToRawLongBits(value));
        }

        Part string(String value) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            return int64(utf8.length).bytes(utf8);
        }

        Part bytes(byte[] bytes) {
            out.writeBytes(bytes);
            return this;
        }

        byte[] toBytes() {
            return out.toByteArray();
        }

        private static ByteBuffer buffer(int size) {
            return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        }
    }
}
