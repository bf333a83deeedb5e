package dev.omlx.testsupport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection whose every byte the test decides on, for clients that HTTP libraries cannot play. */
public final class RawConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;

    private RawConnection(Socket socket) {
        this.socket = socket;
    }

    public static RawConnection to(TestServer server) throws IOException {
        return to(server, 0);
    }

    /**
     * Connects.
     *
     * @param receiveBuffer bytes that the kernel takes for a client that does not read; 0 leaves it to the kernel
     */
    public static RawConnection to(TestServer server, int receiveBuffer) throws IOException {
        return to(server.port(), receiveBuffer);
    }

    public static RawConnection to(ServerProcess server) throws IOException {
        return to(server.port(), 0);
    }

    private static RawConnection to(int port, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RawConnection(socket);
    }

    public RawConnection send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return this;
    }

    /** Sends a request with that JSON body. */
    public RawConnection post(String path, String body) throws IOException {
        return send(
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
    }

    /** Reads until {@code end} has come. */
    public String readUntil(String end) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        String text = "";
        while (!text.endsWith(end)) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the server closed the connection after: " + text);
            }
            read.write(next);
            text = read.toString(StandardCharsets.UTF_8);
        }
        return text;
    }

    /** Reads until the server closes the connection. */
    public String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Closes without a farewell, as a process does that is killed with data unread. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
