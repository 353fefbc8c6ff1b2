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
 * Speaks HTTP over an engine's Unix socket, which the JDK's client cannot. In version 1.0 an answer
 * simply ends with its connection. An interrupt ends a call, and so does an engine that hangs.
 */
record EngineSocket(Path path) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String HEAD_END = "\r\n\r\n";

    /** A status and a body, whatever they are. */
    record Answer(int status, String body) {}

    Answer call(String method, String target, String json) throws IOException {
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
            Thread.sleep(PATIENCE);
            channel.close();
        } catch (IOException | InterruptedException e) {
            // the call has ended
        }
    }

    private static Answer parse(String answer) throws IOException {
        int headEnd = answer.indexOf(HEAD_END);
        if (headEnd < 0 || !answer.matches("(?s)HTTP/1\\.[01] [0-9]{3} .*")) {
            throw new IOException("the engine broke off its answer");
        }
        int status = Integer.parseInt(answer.split(" ", 3)[1]);
        return new Answer(status, answer.substring(headEnd + HEAD_END.length()));
    }
}
