package dev.satchel.http.download;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.Handler;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.http.connection.HttpOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60) // a body that is neither whole nor broken off is waited for
class DownloadTest {
    private static final List<HttpClient.Version> VERSIONS =
            List.of(HttpClient.Version.HTTP_1_1, HttpClient.Version.HTTP_2);
    private static final String DIGITS = "0123456789";

    private record InMemory(String text, long size) implements Content {
        @Override
        public String etag() {
            return "v1";
        }

        @Override
        public InputStream open(long offset, long length) {
            return new ByteArrayInputStream(text.getBytes(UTF_8), (int) offset, (int) length);
        }
    }

    private record OnDisk(Path path, long size) implements Content {
        @Override
        public String etag() {
            return "v1";
        }

        @Override
        public InputStream open(long offset, long length) throws IOException {
            InputStream bytes = Files.newInputStream(path);
            bytes.skipNBytes(offset);
            return bytes;
        }

        @Override
        public Optional<FileChannel> openFile() throws IOException {
            return Optional.of(FileChannel.open(path, StandardOpenOption.READ));
        }
    }

    @TempDir private Path directory;
    private final Router router = new Router();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        router.get("/memory", offering(new InMemory(DIGITS, 10)));
        router.get("/empty", offering(new InMemory("", 0)));
        Path file = Files.writeString(directory.resolve("digits"), DIGITS);
        router.get("/disk", offering(new OnDisk(file, 10)));
        server =
                HttpServer.start(
                        "127.0.0.1",
                        0,
                        router,
                        new JsonMapper(),
                        (_, _, _, _) -> {},
                        HttpOptions.WITH_CLEARTEXT_HTTP2);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/memory", "/disk"})
    void aDownloadComesWholeWithAllItsHeaders(String path) throws Exception {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("0123456789");
        assertThat(header(response, "Content-Length")).isEqualTo("10");
        assertThat(header(response, "Content-Type")).isEqualTo("text/plain");
        assertThat(header(response, "Content-Disposition"))
                .isEqualTo("attachment; filename=\"u.txt\"; filename*=UTF-8''%C3%BC.txt");
        assertThat(header(response, "ETag")).isEqualTo("\"v1\"");
        assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
        assertThat(header(response, "Cache-Control")).isEqualTo("private, no-cache");
        assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(response, "Content-Security-Policy"))
                .isEqualTo("sandbox; default-src 'none'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/javascript",
                "text/javascript; charset=utf-8",
                "Text/JavaScript",
                "text/javascript1.5",
                "application/x-ecmascript",
                "text/jscript",
                "text/livescript"
            })
    void aScriptIsServedAsPlainText(String type) throws Exception {
        router.get("/script", offering(new InMemory(DIGITS, 10), type));
        router.get("/script-on-disk", offering(new OnDisk(directory.resolve("digits"), 10), type));

        for (String path : List.of("/script", "/script-on-disk")) {
            assertThat(header(get(path), "Content-Type")).isEqualTo("text/plain");
            assertThat(header(get(path), "X-Content-Type-Options")).isEqualTo("nosniff");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/memory", "/disk"})
    void aRangeComesAlone(String path) throws Exception {
        HttpResponse<String> middle = get(path, "Range", "bytes=2-4");
        assertThat(middle.statusCode()).isEqualTo(206);
        assertThat(middle.body()).isEqualTo("234");
        assertThat(header(middle, "Content-Range")).isEqualTo("bytes 2-4/10");
        assertThat(header(middle, "Content-Length")).isEqualTo("3");

        assertThat(get(path, "Range", "bytes=-2").body()).isEqualTo("89");
        assertThat(get(path, "Range", "bytes=9-").body()).isEqualTo("9");
        assertThat(get(path, "Range", "bytes=0-1,4-5").statusCode()).isEqualTo(200);
    }

    @Test
    void aRangeOutsideIs416WithTheSizeAndNothingOfTheFile() throws Exception {
        HttpResponse<String> response = get("/memory", "Range", "bytes=10-");

        assertThat(response.statusCode()).isEqualTo(416);
        assertThat(header(response, "Content-Range")).isEqualTo("bytes */10");
        assertThat(response.headers().firstValue("Content-Disposition")).isEmpty();
        assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void aRangeOfAnotherVersionIsAnsweredWithTheWhole() throws Exception {
        assertThat(get("/memory", "Range", "bytes=2-4", "If-Range", "\"v1\"").statusCode())
                .isEqualTo(206);
        for (String other : List.of("\"v0\"", "W/\"v1\"", "Sun, 06 Nov 1994 08:49:37 GMT")) {
            HttpResponse<String> response = get("/memory", "Range", "bytes=2-4", "If-Range", other);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("0123456789");
        }
    }

    @Test
    void aCopyThatIsStillGoodIsNotSentAgain() throws Exception {
        for (String known : List.of("\"v1\"", "W/\"v1\"", "\"a,b\", \"v1\"", "*")) {
            HttpResponse<String> response =
                    get("/memory", "If-None-Match", known, "Range", "bytes=99-");
            assertThat(response.statusCode()).as(known).isEqualTo(304);
            assertThat(response.body()).isEmpty();
            assertThat(header(response, "ETag")).isEqualTo("\"v1\"");
        }
        for (String other : List.of("\"v0\"", "v1", "\"v11\"", "")) {
            assertThat(get("/memory", "If-None-Match", other).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/memory", "/disk"})
    void headTellsTheSizeAndIgnoresRanges(String path) throws Exception {
        HttpRequest head = request(path).HEAD().header("Range", "bytes=0-1").build();

        HttpResponse<String> response = client.send(head, BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Length")).isEqualTo("10");
        assertThat(header(response, "ETag")).isEqualTo("\"v1\"");
        assertThat(response.body()).isEmpty();
    }

    @Test
    void anEmptyFileIsADownloadToo() throws Exception {
        HttpResponse<String> response = get("/empty");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Length")).isEqualTo("0");
        assertThat(get("/empty", "Range", "bytes=-5").statusCode()).isEqualTo(200);
        assertThat(get("/empty", "Range", "bytes=0-").statusCode()).isEqualTo(416);
    }

    @Test
    void aLargeFileArrivesWholeOverBothVersionsOfHttp() throws Exception {
        String text = "0123456789abcdef\n".repeat(1_000_000);
        Path file = Files.writeString(directory.resolve("large"), text);
        router.get("/large", offering(new OnDisk(file, text.length())));
        for (HttpClient.Version version : VERSIONS) {
            assertThat(body("/large", version).equals(text)).as(version.name()).isTrue();
        }
        get("/large");
        assertThat(get("/large").body().equals(text)).as("on a used connection").isTrue();
    }

    @Test
    void aFileIsSentByTheKernelOverHttp1() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "from disk");
        Content content = new OnDisk(file, 9);
        Content elsewhere =
                new Content() {
                    @Override
                    public long size() {
                        return 9;
                    }

                    @Override
                    public String etag() {
                        return "v1";
                    }

                    @Override
                    public InputStream open(long offset, long length) {
                        return new ByteArrayInputStream("from java".getBytes(UTF_8));
                    }

                    @Override
                    public Optional<FileChannel> openFile() throws IOException {
                        return content.openFile();
                    }
                };
        router.get("/kernel", offering(elsewhere));

        assertThat(body("/kernel", HttpClient.Version.HTTP_1_1)).isEqualTo("from disk");
        assertThat(body("/kernel", HttpClient.Version.HTTP_2)).isEqualTo("from java");
    }

    @Test
    void aMissingContentIsAnErrorResponse() throws Exception {
        router.get("/gone", offering(new OnDisk(directory.resolve("gone"), 10)));

        HttpResponse<String> response = get("/gone", "Range", "bytes=0-1");

        assertThat(response.statusCode()).isEqualTo(500);
        for (String name : List.of("ETag", "Content-Disposition", "Content-Range")) {
            assertThat(header(response, name)).as(name).isEqualTo("none");
        }
    }

    @Test
    void contentThatEndsEarlyIsAnIncompleteResponse() throws Exception {
        Path file = Files.writeString(directory.resolve("short"), DIGITS);
        router.get("/short-memory", offering(new InMemory(DIGITS, 20)));
        router.get("/short-disk", offering(new OnDisk(file, 20)));
        for (String path : List.of("/short-memory", "/short-disk")) {
            for (HttpClient.Version version : VERSIONS) {
                assertThatThrownBy(() -> body(path, version))
                        .as(path + " " + version)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void aDisconnectEndsTheSendingOfAFile() throws Exception {
        CompletableFuture<Thread> sender = new CompletableFuture<>();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        router.get("/sparse", watched(sparseFile(), sender, ended));
        try (Socket socket = askFor("/sparse")) {
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        assertThat(ended.get(10, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    }

    @Test
    void anInterruptEndsTheSendingOfAFile() throws Exception {
        CompletableFuture<Thread> sender = new CompletableFuture<>();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        router.get("/sparse", watched(sparseFile(), sender, ended));
        try (Socket socket = askFor("/sparse")) {
            assertThat(socket.getInputStream().read()).isEqualTo('H');

            sender.get().interrupt();

            assertThat(ended.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedIOException.class);
        }
    }

    /** Half a gigabyte that takes no room: more than a socket holds for a client that is slow. */
    private Content sparseFile() throws IOException {
        Path file = directory.resolve("sparse");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(DIGITS.getBytes(UTF_8)), 500_000_000);
        }
        return new OnDisk(file, Files.size(file));
    }

    private static Handler watched(
            Content content, CompletableFuture<Thread> sender, CompletableFuture<Throwable> ended) {
        Handler handler = offering(content);
        return exchange -> {
            sender.complete(Thread.currentThread());
            try {
                handler.handle(exchange);
                ended.complete(new AssertionError("all of it was sent"));
            } catch (IOException e) {
                ended.complete(e);
                throw e;
            }
        };
    }

    private Socket askFor(String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(UTF_8));
        return socket;
    }

    private static Handler offering(Content content) {
        return offering(content, "text/plain");
    }

    private static Handler offering(Content content, String type) {
        return exchange -> new Download("ü.txt", type, content).send(exchange);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** A client of its own, for one that has a connection keeps to its version. */
    private String body(String path, HttpClient.Version version) throws Exception {
        try (HttpClient other = HttpClient.newBuilder().version(version).build()) {
            HttpResponse<String> response =
                    other.send(request(path).build(), BodyHandlers.ofString());
            assertThat(response.version()).isEqualTo(version);
            return response.body();
        }
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("none");
    }
}
