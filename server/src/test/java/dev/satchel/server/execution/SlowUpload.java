package dev.satchel.server.execution;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;

/** A write-back that stops half-way until the test continues it. */
final class SlowUpload implements AutoCloseable {
    private static final String HEAD =
            "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"slow.txt\"\r\n\r\n";
    private static final String FIRST = "first half,";
    private static final String SECOND = " second half\r\n--B--\r\n";

    private final Socket socket;

    private SlowUpload(Socket socket) {
        this.socket = socket;
    }

    static SlowUpload begin(URI results, String token) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), results.getPort());
        int length = (HEAD + FIRST + SECOND).length();
        send(
                socket,
                "POST "
                        + results.getPath()
                        + " HTTP/1.1\r\nHost: x\r\nAuthorization: "
                        + token
                        + "\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: "
                        + length
                        + "\r\nExpect: 100-continue\r\n\r\n");
        return new SlowUpload(socket);
    }

    /** Returns once the server has accepted the token and expects the body. */
    void sendFirstHalf() throws IOException {
        String goOn = reader().readLine();
        if (goOn == null || !goOn.startsWith("HTTP/1.1 100")) {
            throw new AssertionError("no go-ahead but " + goOn);
        }
        send(socket, HEAD + FIRST);
    }

    /** Sends the rest and returns the status line of the answer. */
    String finish() throws IOException {
        send(socket, SECOND);
        BufferedReader reader = reader();
        String line = reader.readLine();
        while (line != null && !line.startsWith("HTTP/1.1 ")) {
            line = reader.readLine(); // the blank line after 100 Continue
        }
        close();
        return String.valueOf(line);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private BufferedReader reader() throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }
}
