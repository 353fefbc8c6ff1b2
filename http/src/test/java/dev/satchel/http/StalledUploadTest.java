package dev.satchel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.connection.RequestTimeoutException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** Request bodies that arrive slowly or not at all. */
@Timeout(60)
class StalledUploadTest {
    private static final long MAX_BODY = 100_000_000;

    private final LinkedBlockingQueue<IOException> failures = new LinkedBlockingQueue<>();
    private final Semaphore received = new Semaphore(0);
    private final Router router =
            new Router()
                    .post("/upload", this::receive)
                    .post(
                            "/json",
                            e -> e.json(200, e.readLenientJson(Map.class, MAX_BODY).keySet()));
    private final List<Socket> sockets = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        start(ConnectionTimeouts.DEFAULT);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    void aStalledUploadIs408AndItsConnectionIsClosed() throws Exception {
        restart(ConnectionTimeouts.DEFAULT.withBody(Duration.ofMillis(50), 1024));
        Socket socket = send("/upload", 100, "half");

        assertThat(failures.take()).isInstanceOf(RequestTimeoutException.class);
        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                .startsWith("HTTP/1.1 408 ")
                .contains("too slowly", "1024 bytes per second");
    }

    @Test
    void aBodyThatDripsIs408() throws Exception {
        restart(ConnectionTimeouts.DEFAULT.withBody(Duration.ofMillis(100), Integer.MAX_VALUE));
        Socket socket = send("/upload", 90_000_000, "");

        drip(socket);

        assertThat(failures.take()).isInstanceOf(RequestTimeoutException.class);
        assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                .isEqualTo("HTTP/1.1 408");
    }

    @Test
    void tenLargeBodiesThatStandStillLeaveRoomForAnother() throws Exception {
        for (int i = 0; i < 10; i++) {
            send("/json", 50_000_000, "{");
        }
        Map<String, String> large = Map.of("text", "x".repeat(3_000_000));
        String body = new JsonMapper().writeValueAsString(large);
        Socket other = send("/json", body.length(), body);

        assertThat(new String(other.getInputStream().readNBytes(12), UTF_8))
                .isEqualTo("HTTP/1.1 200");
    }

    private void receive(Exchange exchange) throws IOException {
        try (InputStream body = exchange.body(MAX_BODY)) {
            while (body.read() >= 0) {
                received.release();
            }
            exchange.send(200);
        } catch (IOException failure) {
            failures.add(failure);
            received.release();
            throw failure;
        }
    }

    /** A byte at a time, each when the server waits for it, until it no longer does. */
    private void drip(Socket socket) {
        try {
            while (failures.isEmpty()) {
                socket.getOutputStream().write('x');
                received.acquire();
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Socket send(String path, int length, String first) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        String head =
                "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
        socket.getOutputStream().write((head + first).getBytes(UTF_8));
        return socket;
    }

    private void restart(ConnectionTimeouts timeouts) throws Exception {
        server.close();
        start(timeouts);
    }

    private void start(ConnectionTimeouts timeouts) throws Exception {
        server =
                HttpServer.start(
                        "127.0.0.1",
                        0,
                        router,
                        new JsonMapper(),
                        (_, _, _, _) -> {},
                        HttpOptions.STANDARD.with(timeouts));
    }
}
