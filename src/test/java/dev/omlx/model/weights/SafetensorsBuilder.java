package dev.omlx.model.weights;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes safetensors files, valid ones tensor by tensor and broken ones from a header text. */
final class SafetensorsBuilder {
    private final List<String> members = new ArrayList<>();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();

    SafetensorsBuilder metadata(String key, String value) {
        members.add("\"__metadata__\":{\"%s\":\"%s\"}".formatted(key, value));
        return this;
    }

    SafetensorsBuilder tensor(String name, String dtype, List<Integer> shape, byte[] bytes) {
        int begin = data.size();
        data.writeBytes(bytes);
        members.add("\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
                .formatted(name, dtype, shape, begin, data.size()));
        return this;
    }

    byte[] build() {
        return file("{" + String.join(",", members) + "}", data.toByteArray());
    }

    Path write(Path path) {
        return write(path, build());
    }

    /** A file with that header and so many zero bytes of data. */
    static byte[] file(String header, int dataBytes) {
        return file(header, new byte[dataBytes]);
    }

    static byte[] file(String header, byte[] data) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return file(json.length, json, data);
    }

    /** A file whose header length is claimed to be so much. */
    static byte[] file(long claimedLength, byte[] header, byte[] data) {
        return ByteBuffer.allocate(Long.BYTES + header.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(claimedLength)
                .put(header)
                .put(data)
                .array();
    }

    static Path write(Path path, byte[] bytes) {
        try {
            return Files.write(path, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
