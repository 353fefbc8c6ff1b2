package dev.satchel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.HttpOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Connections that only hold a place are closed; those that wait for an answer never are. */
@Timeout(60)
class IdleConnectionTest {
    private static final Duration SOON = Duration.ofMillis(200);

    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        start(ConnectionTimeouts.DEFAULT.withHead(SOON).withIdle(SOON));
    }

    private void start(ConnectionTimeouts timeouts) throws Exception {
        Router router =
                new Router()
                        .get("/quick", e -> e.body(200, "text/plain", "quick".getBytes(UTF_8)))
                        .get(
                                "/silent",
                                e -> {
                                    working.countDown();
                                    goOn.await();
                                    e.body(200, "text/plain", "at last".getBytes(UTF_8));
                                });
        server =
                HttpServer.start(
                        "127.0.0.1",
                        0,
                        router,
                        new JsonMapper(),
                        (_, _, _, _) -> {},
                        HttpOptions.STANDARD.with(timeouts));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "PRI * HTTP", "GET /quick HT", "GET /quick HTTP/1.1\r\nHost:"})
    void aConnectionWhoseRequestNeverBecomesWholeIsClosed(String half) throws Exception {
        try (Socket socket = connect(half)) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET /quick HTTP/1.1\r\nHost:"})
    void aConnectionIsClosedWhenNoOtherRequestFollows(String half) throws Exception {
        try (Socket socket = connect("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n" + half)) {
            String all = new String(socket.getInputStream().readAllBytes(), UTF_8);
            assertThat(all).startsWith("HTTP/1.1 200").endsWith("quick");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aRequestMayBeSilentForMuchLonger(HttpClient.Version version) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().version(version).build()) {
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(
                            HttpRequest.newBuilder(uri("/silent")).build(),
                            HttpResponse.BodyHandlers.ofString());
            working.await();
            for (int i = 0; i < 3; i++) { // each is told only after the limit has gone by
                try (Socket other = connect("")) {
                    assertThat(other.getInputStream().read()).isEqualTo(-1);
                }
            }
            goOn.countDown();

            assertThat(answer.get().body()).isEqualTo("at last");
        }
    }

    @Test
    void aSlowResponseIsNotClosedAsIdle() throws Exception {
        try (Socket socket = connect("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n");
                Socket other = connect("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n")) {
            working.await();
            other.getInputStream().readAllBytes(); // until it has been idle for too long
            goOn.countDown();
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readAllBytes(), UTF_8)).endsWith("at last");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /quick HTTP/1.1\r\nX: ",
                "GET /quick HTTP/1.1\r\nHost: x\r\n\r\nGET /quick HTTP/1.1\r\nX: "
            })
    void aHeadThatDripsEndsAtItsDeadline(String start) throws Exception {
        server.close();
        start(ConnectionTimeouts.DEFAULT.withHead(SOON));
        try (Socket socket = connect(start)) {
            Thread reader = Thread.ofVirtual().start(() -> readAll(socket));
            assertThatThrownBy(
                            () -> {
                                while (true) { // as long as the server takes it
                                    socket.getOutputStream().write('x');
                                    Thread.onSpinWait();
                                }
                            })
                    .isInstanceOf(SocketException.class);
            reader.join();
        }
    }

    @Test
    void aConnectionBetweenTwoRequestsHasTheIdleTime() throws Exception {
        server.close();
        start(ConnectionTimeouts.DEFAULT.withHead(SOON));
        String request = "POST /quick HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n";
        try (Socket socket = connect(request);
                Socket silent = connect("")) {
            String refused = "HTTP/1.1 405";
            assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo(refused);
            socket.getOutputStream().write('x'); // the body, after its answer: no head
            assertThat(silent.getInputStream().read()).isEqualTo(-1); // after the limit
            skipBody(socket.getInputStream());
            socket.getOutputStream().write(request.getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo(refused);
        }
    }

    private static void readAll(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // the server closes the connection while bytes arrive
        }
    }

    /** Up to the end of an error response. */
    private static void skipBody(InputStream in) throws IOException {
        int last = 0;
        while (last != '}') {
            last = in.read();
        }
    }

    private Socket connect(String first) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream().write(first.getBytes(UTF_8));
        return socket;
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }
}
