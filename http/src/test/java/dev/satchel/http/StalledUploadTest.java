package dev.satchel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.HttpOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class StalledUploadTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void aStalledUploadEndsAndItsConnectionIsClosed() throws Exception {
        LinkedBlockingQueue<IOException> failures = new LinkedBlockingQueue<>();
        Router router =
                new Router()
                        .post(
                                "/upload",
                                e -> {
                                    try {
                                        e.body(1000).readAllBytes();
                                    } catch (IOException failure) {
                                        failures.add(failure);
                                        throw failure;
                                    }
                                });
        try (HttpServer server =
                        HttpServer.start(
                                "127.0.0.1",
                                0,
                                router,
                                new JsonMapper(),
                                (_, _, _, _) -> {},
                                HttpOptions.STANDARD.with(
                                        new ConnectionTimeouts(
                                                Duration.ofMillis(50), LONG, LONG)));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(
                            "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf"
                                    .getBytes(UTF_8));

            assertThat(failures.take()).hasMessageContaining("sent nothing");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }
}
