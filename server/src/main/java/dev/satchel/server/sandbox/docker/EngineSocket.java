package dev.satchel.server.sandbox.docker;

import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An HTTP client for an engine's Unix socket, which the JDK's client does not support. With HTTP
 * 1.0 a response ends with its connection. A call ends when its thread is interrupted or when the
 * engine does not answer in time.
 */
record EngineSocket(Path path) {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String HEAD_END = "\r\n\r\n";

    record Response(int status, String body) {}

    Response call(String method, String target, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        String head =
                "%s %s HTTP/1.0\r\nHost: engine\r\nContent-Type: application/json\r\nContent-Length: %d"
                        .formatted(method, target, body.length);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            Thread watch = Thread.ofVirtual().start(() -> closeLater(channel));
            try {
                OutputStream out = Channels.newOutputStream(channel);
                out.write((head + HEAD_END).getBytes(StandardCharsets.US_ASCII));
                out.write(body);
                byte[] answer = Channels.newInputStream(channel).readAllBytes();
                return parse(new String(answer, StandardCharsets.UTF_8));
            } finally {
                watch.interrupt();
            }
        }
    }

    private static void closeLater(SocketChannel channel) {
        try {
            Thread.sleep(TIMEOUT);
            channel.close();
        } catch (IOException | InterruptedException e) {
            // the call has ended
        }
    }

    private static Response parse(String answer) throws IOException {
        int headEnd = answer.indexOf(HEAD_END);
        if (headEnd < 0 || !answer.matches("(?s)HTTP/1\\.[01] [0-9]{3} .*")) {
            throw new IOException("the engine sent an incomplete response");
        }
        int status = Integer.parseInt(answer.split(" ", 3)[1]);
        return new Response(status, answer.substring(headEnd + HEAD_END.length()));
    }
}
