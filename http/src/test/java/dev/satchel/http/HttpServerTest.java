package dev.satchel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.multipart.MultipartReader;
import dev.satchel.http.security.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HttpServerTest {
    private static final JsonMapper JSON = new JsonMapper();

    record Greeting(String name) {
        Greeting {
            Fields.text("name", name, 10);
        }
    }

    private final Router router = new Router();
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> observed = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = listen(0);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @Test
    void aLiteralRouteIsChosenBeforeAParameter() throws Exception {
        router.get("/a/{x}", e -> e.json(200, List.of("parameter", e.pathParameter("x"))));
        router.get("/a/b", e -> e.json(200, List.of("literal")));
        router.get("/a/{rest*}", e -> e.json(200, List.of("rest", e.pathParameter("rest"))));

        assertThat(get("/a/b").body()).isEqualTo("[\"literal\"]");
        assertThat(get("/a/c%20d+e").body()).isEqualTo("[\"parameter\",\"c d+e\"]");
        assertThat(get("/a/c/d%2Fe/").body()).isEqualTo("[\"rest\",\"c/d/e/\"]");
        assertThat(rawGet("/a/%zz")).startsWith("HTTP/1.1 400");
        assertThat(get("/a/%ff%fe").statusCode()).isEqualTo(400);
    }

    @Test
    void anUnknownRouteIs404AndAnotherMethod405() throws Exception {
        router.get("/known", e -> e.send(204));

        JsonNode problem = JSON.readTree(get("/unknown").body());
        assertThat(problem.get("status").intValue()).isEqualTo(404);
        assertThat(problem.get("code").stringValue()).isEqualTo("not_found");
        assertThat(problem.get("statusCode").intValue()).isEqualTo(404);

        HttpResponse<String> wrongMethod = post("/known", "{}");
        assertThat(wrongMethod.statusCode()).isEqualTo(405);
        assertThat(wrongMethod.headers().firstValue("Allow")).contains("GET");
    }

    @Test
    void aGroupOfRoutesChoosesTheFormatOfItsErrors() throws Exception {
        router.get(
                "/plain/refused",
                _ -> {
                    throw new SatchelException(ErrorCode.CONFLICT, "taken");
                });
        router.get("/plain/known/{id}", e -> e.send(204));
        router.errorFormat("/plain", ErrorFormat.PLAIN);

        assertPlain(get("/plain"), 404, "no route GET /plain");
        assertPlain(get("/plain/"), 404, "no route GET /plain/");
        assertPlain(get("/plain/a/b%20c?d=e/f"), 404, "no route GET /plain/a/b%20c");
        assertPlain(get("/plain/refused"), 409, "taken");
        assertPlain(get("/plain/known/%ff"), 400, "the path is not a valid url component");
        assertPlain(post("/plain/known/1", "{}"), 405, "POST is not one of GET");
        assertThat(get("/plainer").body()).contains("\"code\":\"not_found\"");
        assertThat(get("/").body()).contains("\"code\":\"not_found\"");
    }

    private static void assertPlain(HttpResponse<String> response, int status, String error) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type"))
                .contains("application/json; charset=utf-8");
        assertThat(response.body())
                .isEqualTo("{\"error\":\"%s\",\"statusCode\":%d}".formatted(error, status));
    }

    @Test
    void aMalformedBodyIs400WithTheFieldNamed() throws Exception {
        router.post("/greet", e -> e.json(200, e.readJson(Greeting.class)));

        assertThat(detail(post("/greet", "{\"name\":[1]}"))).startsWith("name has a value");
        assertThat(detail(post("/greet", "{}"))).isEqualTo("name is required");
        assertThat(detail(post("/greet", "{\"name\":\"12345678901\"}")))
                .isEqualTo("name is longer than 10 characters");
        assertThat(detail(post("/greet", "{\"name\":\"a\\u0000\"}")))
                .isEqualTo("name must not contain a NUL character");
        assertThat(detail(post("/greet", "not json"))).contains("not the JSON expected");
        assertThat(detail(post("/greet", ""))).contains("the body is empty");
        assertThat(detail(post("/greet", "null"))).contains("the body is null");
        assertThat(post("/greet", "{\"name\":\"Ada\"}").body()).isEqualTo("{\"name\":\"Ada\"}");
    }

    @Test
    void anUnknownFieldIs400WithItsNameUnlessTheRouteIsLenient() throws Exception {
        router.post("/strict", e -> e.json(200, e.readJson(Greeting.class)));
        router.post("/lenient", e -> e.json(200, e.readLenientJson(Greeting.class)));
        String body = "{\"name\":\"Ada\",\"tone\":{\"kind\":1}}";

        HttpResponse<String> refused = post("/strict", body);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(detail(refused)).isEqualTo("unknown field tone");
        assertThat(post("/lenient", body).body()).isEqualTo("{\"name\":\"Ada\"}");
    }

    @Test
    void anOversizedBodyIs413HoweverItIsSent() throws Exception {
        router.post("/small", e -> e.json(200, e.body(1000).readAllBytes().length));

        assertThat(post("/small", "x".repeat(1001)).statusCode()).isEqualTo(413);
        assertThat(postChunked("/small", 5_000_000).statusCode()).isEqualTo(413);
        assertThat(post("/small", "x".repeat(1000)).body()).isEqualTo("1000");
    }

    @Test
    void anInternalErrorShowsOnlyAReference() throws Exception {
        router.get(
                "/broken",
                _ -> {
                    throw new IllegalStateException("secret detail");
                });

        HttpResponse<String> response = get("/broken");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).doesNotContain("secret", "Exception", "at dev.");
        assertThat(response.body()).contains(requestId(response));
    }

    @Test
    void aSafeRequestIdIsKeptAndAnyOtherReplaced() throws Exception {
        router.get("/", e -> e.send(204));

        assertThat(requestId(get("/", "X-Request-Id", "abc-1"))).isEqualTo("abc-1");
        assertThat(requestId(get("/", "X-Request-Id", "a b\"c"))).matches("[0-9a-f]{24}");
    }

    @Test
    void aLargeUploadIsCompleteWhenTheReaderIsSlow() throws Exception {
        CountDownLatch mayRead = new CountDownLatch(1);
        router.post(
                "/digest",
                e -> {
                    mayRead.await();
                    e.json(200, sha256(e.body(Long.MAX_VALUE)));
                });
        byte[] bytes = new byte[20_000_000];
        Arrays.fill(bytes, (byte) 7);
        var answer =
                client.sendAsync(
                        request("/digest").POST(BodyPublishers.ofByteArray(bytes)).build(),
                        BodyHandlers.ofString());
        mayRead.countDown();

        assertThat(answer.get().body())
                .isEqualTo("\"" + sha256(new ByteArrayInputStream(bytes)) + "\"");
    }

    @Test
    void multipartPartsAreReadOneByOne() throws Exception {
        router.post(
                "/parts",
                e -> {
                    MultipartReader parts = MultipartReader.of(e, 1_000_000);
                    List<String> seen = new ArrayList<>();
                    for (var part = parts.next(); part.isPresent(); part = parts.next()) {
                        seen.add(part.get().field());
                        seen.add(part.get().filename().orElse("-"));
                        seen.add(new String(part.get().content().readAllBytes(), UTF_8));
                    }
                    e.json(200, seen);
                });
        String body =
                "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"naïve ü.txt\"\r\n"
                        + "Content-Type: text/plain\r\n\r\nhello\r\n--B\r\n"
                        + "Content-Disposition: form-data; name=\"note\"\r\n\r\nplain\r\n--B--\r\n";

        HttpResponse<String> response =
                post("/parts", body, "Content-Type", "multipart/form-data; boundary=B");

        assertThat(response.body())
                .isEqualTo("[\"file\",\"naïve ü.txt\",\"hello\",\"note\",\"-\",\"plain\"]");
        assertThat(
                        post(
                                        "/parts",
                                        "--B\r\nbroken",
                                        "Content-Type",
                                        "multipart/form-data; boundary=B")
                                .statusCode())
                .isEqualTo(400);
        assertThat(post("/parts", body, "Content-Type", "multipart/form-data").statusCode())
                .isEqualTo(400);
        assertThat(post("/parts", body, "Content-Type", "text/plain").statusCode()).isEqualTo(415);
    }

    @Test
    void anIncompleteMultipartBodyIs400() throws Exception {
        router.post(
                "/parts",
                e -> {
                    try (InputStream content =
                            MultipartReader.of(e, 1_000_000).next().orElseThrow().content()) {
                        e.json(200, content.readAllBytes().length);
                    }
                });

        HttpResponse<String> response =
                post(
                        "/parts",
                        "--B\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nhello",
                        "Content-Type",
                        "multipart/form-data; boundary=B");

        assertThat(detail(response)).contains("ends before the last boundary");
    }

    @Test
    void aQueryThatCannotBeDecodedIs400() throws Exception {
        router.get("/page", e -> e.json(200, e.query("cursor").orElse("-")));
        router.get("/pages", e -> e.json(200, e.queryAll("cursor")));

        assertThat(rawGet("/page?cursor=%ZZ")).startsWith("HTTP/1.1 400");
        assertThat(rawGet("/pages?cursor=%ZZ")).startsWith("HTTP/1.1 400");
        assertThat(rawGet("/page?cursor=%4")).startsWith("HTTP/1.1 400");
        assertThat(get("/page?cursor=a%20b").body()).isEqualTo("\"a b\"");
    }

    @Test
    void aRequestWithoutAPathIs404() throws Exception {
        router.get("/{rest*}", e -> e.send(204));

        assertThat(rawGet("?a")).startsWith("HTTP/1.1 404");
        assertThat(rawGet("*")).startsWith("HTTP/1.1 404");
    }

    @Test
    void aClientThatWaitsForContinueIsRefusedBeforeItSends() throws Exception {
        router.post("/upload", e -> e.json(200, e.body(10).readAllBytes().length));
        String head =
                "POST /upload HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write((head + "11\r\n\r\n").getBytes(UTF_8));
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 413");
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write((head + "2\r\n\r\n").getBytes(UTF_8));
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 100");
        }
    }

    @Test
    void headAnswersLikeGetWithoutABody() throws Exception {
        router.get("/page", e -> e.body(200, "text/plain", "hello".getBytes(UTF_8)));

        HttpResponse<String> response =
                client.send(request("/page").HEAD().build(), BodyHandlers.ofString());

        assertThat(response.body()).isEmpty();
        assertThat(response.headers().firstValue("Content-Length")).contains("5");
    }

    @Test
    void aUsedPortIsABindException() {
        assertThatThrownBy(() -> listen(server.port())).isInstanceOf(BindException.class);
    }

    @Test
    void theObserverGetsTheTemplateInsteadOfThePath() throws Exception {
        router.get("/things/{id}", e -> e.send(204));
        get("/things/42");
        assertThat(observed.take()).isEqualTo("GET /things/{id} 204"); // told after the answer
    }

    private HttpServer listen(int port) throws IOException, InterruptedException {
        return HttpServer.start(
                "127.0.0.1",
                port,
                router,
                JSON,
                (method, route, status, _) -> observed.add(method + " " + route + " " + status));
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

    private HttpResponse<String> post(String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request = request(path).POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> postChunked(String path, int size) throws Exception {
        var body = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[size]));
        return client.send(request(path).POST(body).build(), BodyHandlers.ofString());
    }

    private static String detail(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(400);
        return JSON.readTree(response.body()).get("detail").stringValue();
    }

    private static String requestId(HttpResponse<?> response) {
        return response.headers().firstValue("X-Request-Id").orElseThrow();
    }

    private String rawGet(String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(UTF_8));
            return statusLine(socket);
        }
    }

    private static String statusLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\r';
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private static String sha256(InputStream in) throws Exception {
        MessageDigest digest = Sha256.newDigest();
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            digest.update(buffer, 0, n);
        }
        return Sha256.hex(digest);
    }
}
