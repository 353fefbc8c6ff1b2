package dev.satchel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What HTTP itself asks of a server. */
@Timeout(60)
class HttpConformanceTest {
    private static final List<Integer> LARGE = IntStream.range(0, 10_000).boxed().toList();

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Router router =
                new Router()
                        .get("/small", e -> e.json(200, Map.of("a", 1)))
                        .get("/large", e -> e.json(200, LARGE))
                        .post("/large", e -> e.json(200, LARGE));
        server = HttpServer.start("127.0.0.1", 0, router, new JsonMapper(), (_, _, _, _) -> {});
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/small", "/large", "/unknown"})
    void everyResponseHasTheDate(String path) throws Exception {
        String date = get(path).headers().firstValue("Date").orElseThrow();

        Instant said = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        assertThat(Duration.between(said, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        assertThat(date).hasSize(29);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: a\r\nHost: a\r\n", "Host: a\r\nHost: b\r\n", ""})
    void aRequestNamesItsHostExactlyOnce(String hosts) throws Exception {
        assertThat(raw("GET /small HTTP/1.1\r\n" + hosts + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw("GET /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(raw("GET /small HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.0 200 ");
    }

    @Test
    void cleartextHttp2IsOffUnlessItIsAskedFor() throws Exception {
        HttpResponse<String> response =
                client.send(
                        request("/small").version(HttpClient.Version.HTTP_2).build(),
                        BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).contains(" 501 ");
    }

    @Test
    void largeJsonIsCompressedForAClientThatAcceptsIt() throws Exception {
        HttpResponse<byte[]> response =
                client.send(
                        request("/large").header("Accept-Encoding", "br, gzip").build(),
                        BodyHandlers.ofByteArray());

        assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(response.headers().allValues("Vary")).contains("Accept-Encoding");
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertThat(in.readAllBytes()).isEqualTo(get("/large").body().getBytes(UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip;q=0", "br"})
    void itIsNotCompressedForAnother(String accepted) throws Exception {
        HttpResponse<String> response =
                client.send(
                        request("/large").header("Accept-Encoding", accepted).build(),
                        BodyHandlers.ofString());

        assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(response.body()).startsWith("[0,1,2");
    }

    @Test
    void largeJsonIsSentOnceToAClientThatRemembersItsTag() throws Exception {
        String tag = get("/large").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again =
                client.send(
                        request("/large").header("If-None-Match", tag).build(),
                        BodyHandlers.ofString());

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("ETag")).contains(tag);
        assertThat(get("/small").headers().firstValue("ETag")).isEmpty();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    /** All that the server sends until it closes the connection. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
