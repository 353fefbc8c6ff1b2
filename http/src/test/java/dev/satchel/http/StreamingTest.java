package dev.satchel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.connection.ClientDisconnectedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Answers that go on for a while, and clients that go away or stop reading meanwhile. */
class StreamingTest {
    private final Router router = new Router();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.start("127.0.0.1", 0, router, new JsonMapper(), (_, _, _, _) -> {});
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @Test
    void eventsArriveOneByOneAndUncompressed() throws Exception {
        LinkedBlockingQueue<String> toSend = new LinkedBlockingQueue<>();
        router.get(
                "/events",
                e -> {
                    try (EventStream events = e.events()) {
                        for (int i = 1; i <= 2; i++) {
                            events.send(List.of(new EventStream.Event("run:" + i, toSend.take())));
                        }
                    }
                });
        HttpResponse<InputStream> response =
                client.send(
                        request("/events").header("Accept-Encoding", "gzip").build(),
                        BodyHandlers.ofInputStream());
        try (InputStream in = response.body()) {
            toSend.add("{}");
            assertThat(new String(in.readNBytes(18), UTF_8)).isEqualTo("id: run:1\ndata: {}");
            toSend.add("[]");
            assertThat(new String(in.readAllBytes(), UTF_8))
                    .isEqualTo("\n\nid: run:2\ndata: []\n\n");
        }
        assertThat(response.headers().firstValue("X-Accel-Buffering")).contains("no");
        assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void aSilentHandlerIsNotifiedWhenItsClientDisconnects() throws Exception {
        CountDownLatch streaming = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        router.get(
                "/silent",
                e -> {
                    e.onDisconnect(gone::countDown);
                    try (EventStream events = e.events()) {
                        events.ping();
                        streaming.countDown();
                        gone.await();
                        assertThatThrownBy(events::ping).isInstanceOf(IOException.class);
                    }
                    done.countDown();
                });
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            streaming.await();
        }
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** The connection counts as closed a moment before its close handler runs. */
    @Test
    void aFailedWriteCountsAsADisconnect() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        router.get(
                "/talkative",
                e -> {
                    e.onDisconnect(gone::countDown);
                    e.events();
                    throw new ClientDisconnectedException(); // as a write does in that moment
                });
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /talkative HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aReaderThatStopsReadingBlocksItsWriterOnly() throws Exception {
        CountDownLatch writerEnded = new CountDownLatch(1);
        router.get(
                "/flood",
                e -> {
                    try (OutputStream out = e.lines()) {
                        byte[] line = new byte[64 * 1024];
                        for (int i = 0; i < 10_000; i++) {
                            out.write(line);
                        }
                    } catch (IOException _) {
                        writerEnded.countDown(); // only by the closing below, never by itself
                    }
                });
        router.get("/alive", e -> e.send(204));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            assertThat(get("/alive").statusCode()).isEqualTo(204);
            assertThat(writerEnded.getCount()).isEqualTo(1);
        }
        assertThat(writerEnded.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }
}
