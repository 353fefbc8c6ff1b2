package dev.satchel.server.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;

/** A GET whose path no client library has tidied up. */
final class RawRequest {
    private RawRequest() {}

    static String get(SessionFiles files, String rest) throws IOException {
        URI server = files.server().url("");
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            String request =
                    "GET %s HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                            .formatted(files.url(rest), TestServer.KEY);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
