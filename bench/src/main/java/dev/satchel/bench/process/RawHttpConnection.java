package dev.satchel.bench.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One connection without an HTTP client on it, so that large bodies cost us as little as they can
 * and what is measured is the server.
 */
public final class RawHttpConnection implements AutoCloseable {
    private static final int BUFFER = 1 << 20;
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");
    private static final Pattern LOCATION = Pattern.compile("(?i)\r\nlocation: *(\\S+)\r\n");

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

    public RawHttpConnection(int port) throws IOException {
        this.channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        // a request goes out in pieces; the kernel would hold the second for 40 ms
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Reads a whole answer and throws its body away; returns how many bytes that had. */
    public long download(String path) throws IOException {
        write(head("GET", path) + "\r\n");
        Head head = readHead();
        long left = head.length() - head.already().length();
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER));
            int read = channel.read(buffer);
            if (read < 0) {
                throw new IOException("the body broke off");
            }
            left -= read;
        }
        return head.length();
    }

    /** Sends a file as the one part of a form; returns the answer's body. */
    public String upload(String path, Path file) throws IOException {
        return upload(path, file, file.getFileName().toString());
    }

    /** The same under another name. */
    public String upload(String path, Path file, String name) throws IOException {
        String boundary = "satchel-bench";
        String before =
                "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n"
                        .formatted(boundary, name);
        String after = "\r\n--" + boundary + "--\r\n";
        try (FileChannel bytes = FileChannel.open(file)) {
            write(
                    head("POST", path)
                            + "Content-Type: multipart/form-data; boundary=%s\r\n"
                                    .formatted(boundary)
                            + "Content-Length: %d\r\n\r\n"
                                    .formatted(before.length() + bytes.size() + after.length())
                            + before);
            send(bytes);
            write(after);
        }
        Head head = readHead();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(head.already().getBytes(StandardCharsets.ISO_8859_1));
        while (body.size() < head.length()) {
            body.writeBytes(some());
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    /** Sends a file by tus, in one piece. */
    public void resumable(Path file) throws IOException {
        try (FileChannel bytes = FileChannel.open(file)) {
            write(
                    head("POST", "/api/uploads")
                            + "Tus-Resumable: 1.0.0\r\nContent-Length: 0\r\nUpload-Length: %d\r\n\r\n"
                                    .formatted(bytes.size()));
            Head made = readHead();
            write(
                    head("PATCH", made.location())
                            + "Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Length: %d\r\n"
                                    .formatted(bytes.size())
                            + "Content-Type: application/offset+octet-stream\r\n\r\n");
            send(bytes);
            Head _ = readHead();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** The answer up to its body, and what of the body came with it, a character for each byte. */
    private record Head(String text, String already) {
        /** Where the body is not told to have a length, it has none. */
        long length() {
            Matcher length = LENGTH.matcher(text);
            return length.find() ? Long.parseLong(length.group(1)) : 0;
        }

        String location() {
            Matcher location = LOCATION.matcher(text);
            return location.find() ? location.group(1) : "";
        }
    }

    private static String head(String method, String path) {
        return "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
                .formatted(method, path, ServerProcess.KEY);
    }

    private void write(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private void send(FileChannel bytes) throws IOException {
        for (long sent = 0; sent < bytes.size(); ) {
            sent += bytes.transferTo(sent, bytes.size() - sent, channel);
        }
    }

    private Head readHead() throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            text.append(new String(some(), StandardCharsets.ISO_8859_1));
        }
        int end = text.indexOf("\r\n\r\n") + 4;
        if (!text.substring(0, end).startsWith("HTTP/1.1 20")) {
            throw new IOException("not the answer we want: " + text);
        }
        return new Head(text.substring(0, end), text.substring(end));
    }

    private byte[] some() throws IOException {
        int read = channel.read(buffer.clear());
        if (read < 0) {
            throw new IOException("the answer broke off");
        }
        byte[] bytes = new byte[read];
        buffer.flip().get(bytes);
        return bytes;
    }
}
