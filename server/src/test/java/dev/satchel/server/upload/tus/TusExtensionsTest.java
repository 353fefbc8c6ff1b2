package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The extensions of tus 1.0 by raw requests. */
class TusExtensionsTest {
    private static final Map<String, String> NONE = Map.of();

    private static ScriptedSandbox sandbox;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(Dialect.SQLITE, sandbox.url());
    }

    @AfterAll
    static void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void aHeadRepeatsTheMetadata() throws Exception {
        String metadata = "filename YS50eHQ=,is_confidential";
        String upload = created(server, Map.of("Upload-Length", "4", "Upload-Metadata", metadata));
        assertThat(header(send(server, "HEAD", upload, NONE, ""), "Upload-Metadata"))
                .isEqualTo(metadata);
    }

    @Test
    void aPostStandsForOtherMethods() throws Exception {
        String upload = created(server, Map.of("Upload-Length", "4"));
        HttpResponse<String> patched =
                send(
                        server,
                        "POST",
                        upload,
                        Map.of(
                                "X-HTTP-Method-Override", "PATCH",
                                "Content-Type", "application/offset+octet-stream",
                                "Upload-Offset", "0"),
                        "abc");
        assertThat(patched.statusCode()).isEqualTo(204);
        HttpResponse<String> head =
                send(server, "POST", upload, Map.of("X-HTTP-Method-Override", "HEAD"), "");
        assertThat(header(head, "Upload-Offset")).isEqualTo("3");
        HttpResponse<String> deleted =
                send(server, "POST", upload, Map.of("X-HTTP-Method-Override", "DELETE"), "");
        assertThat(deleted.statusCode()).isEqualTo(204);
        assertThat(send(server, "HEAD", upload, NONE, "").statusCode()).isEqualTo(404);
        assertThat(send(server, "POST", upload, NONE, "").statusCode()).isEqualTo(400);
    }

    @Test
    void aLengthMayBecomeKnownLater() throws Exception {
        String upload = created(server, Map.of("Upload-Defer-Length", "1"));
        HttpResponse<String> head = send(server, "HEAD", upload, NONE, "");
        assertThat(header(head, "Upload-Defer-Length")).isEqualTo("1");
        assertThat(head.headers().firstValue("Upload-Length")).isEmpty();
        assertThat(patch(server, upload, 0, "hello ", NONE).statusCode()).isEqualTo(204);

        assertThat(patch(server, upload, 6, "", Map.of("Upload-Length", "4")).statusCode())
                .isEqualTo(400);
        HttpResponse<String> last =
                patch(server, upload, 6, "world", Map.of("Upload-Length", "11"));
        assertThat(header(last, "Upload-Offset")).isEqualTo("11");
        HttpResponse<String> whole = send(server, "HEAD", upload, NONE, "");
        assertThat(header(whole, "Upload-Length")).isEqualTo("11");
        assertThat(patch(server, upload, 11, "", Map.of("Upload-Length", "12")).statusCode())
                .isEqualTo(400);
        assertThat(stored(upload)).isEqualTo("hello world");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void partialUploadsBecomeOneFile(Dialect dialect) throws Exception {
        try (TestServer other = TestServer.start(dialect, sandbox.url())) {
            String first = partial(other, "hello ");
            String second = partial(other, "world");
            assertThat(header(send(other, "HEAD", first, NONE, ""), "Upload-Concat"))
                    .isEqualTo("partial");

            String concat = "final;" + first + " " + other.url(second);
            String whole = created(other, Map.of("Upload-Concat", concat));
            HttpResponse<String> head = send(other, "HEAD", whole, NONE, "");
            assertThat(header(head, "Upload-Concat")).isEqualTo(concat);
            assertThat(header(head, "Upload-Length")).isEqualTo("11");
            assertThat(header(head, "Upload-Offset")).isEqualTo("11");
            assertThat(patch(other, whole, 11, "", NONE).statusCode()).isEqualTo(403);
            assertThat(send(other, "HEAD", first, NONE, "").statusCode()).isEqualTo(404);

            String chat = other.newChat();
            String id = whole.substring(whole.lastIndexOf('/') + 1);
            assertThat(
                            other.post(
                                            "/api/assistant/chats/" + chat + "/files/claim",
                                            Map.of("fileIds", List.of(id)))
                                    .statusCode())
                    .isBetween(200, 201);
            assertThat(other.get("/api/assistant/chats/" + chat + "/files/" + id).body())
                    .isEqualTo("hello world");
        }
    }

    @Test
    void partialUploadsAreNoFiles() throws Exception {
        String part = partial(server, "hello");
        String id = part.substring(part.lastIndexOf('/') + 1);
        String chat = server.newChat();
        assertThat(
                        server.post(
                                        "/api/assistant/chats/" + chat + "/files/claim",
                                        Map.of("fileIds", List.of(id)))
                                .statusCode())
                .isBetween(400, 404);
    }

    @Test
    void aConcatenationNeedsCompleteUploadsOfItsCaller() throws Exception {
        String half = created(server, Map.of("Upload-Length", "4", "Upload-Concat", "partial"));
        assertThat(status(Map.of("Upload-Concat", "final;" + half))).isEqualTo(409);
        String plain = created(server, Map.of("Upload-Length", "0"));
        assertThat(status(Map.of("Upload-Concat", "final;" + plain))).isEqualTo(404);
        assertThat(status(Map.of("Upload-Concat", "final;/api/uploads/x"))).isEqualTo(400);
        assertThat(status(Map.of("Upload-Concat", "whole"))).isEqualTo(400);
        assertThat(status(Map.of("Upload-Concat", "final;" + half, "Upload-Length", "4")))
                .isEqualTo(400);
    }

    @Test
    void anUploadIsGoneAfterItsTime(@TempDir Path data) throws Exception {
        MovableClock clock = new MovableClock();
        try (TestServer other =
                TestServer.start(TestServer.configuration(data, null, sandbox.url()), clock)) {
            String upload = created(other, Map.of("Upload-Length", "4"));
            assertThat(send(other, "HEAD", upload, NONE, "").statusCode()).isEqualTo(200);
            clock.advance(Duration.ofDays(365));
            assertThat(send(other, "HEAD", upload, NONE, "").statusCode()).isEqualTo(410);
            assertThat(patch(other, upload, 0, "abcd", NONE).statusCode()).isEqualTo(410);
        }
    }

    private static String partial(TestServer at, String content) throws Exception {
        String length = Integer.toString(content.length());
        String upload = created(at, Map.of("Upload-Length", length, "Upload-Concat", "partial"));
        assertThat(patch(at, upload, 0, content, NONE).statusCode()).isEqualTo(204);
        return upload;
    }

    private static int status(Map<String, String> headers) throws Exception {
        return send(server, "POST", "/api/uploads", headers, "").statusCode();
    }

    private static String created(TestServer at, Map<String, String> headers) throws Exception {
        HttpResponse<String> response = send(at, "POST", "/api/uploads", headers, "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return header(response, "Location");
    }

    private static HttpResponse<String> patch(
            TestServer at, String upload, int offset, String body, Map<String, String> headers)
            throws Exception {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Content-Type", "application/offset+octet-stream");
        all.put("Upload-Offset", Integer.toString(offset));
        return send(at, "PATCH", upload, all, body);
    }

    private static HttpResponse<String> send(
            TestServer at, String method, String path, Map<String, String> headers, String body)
            throws Exception {
        HttpRequest.Builder request =
                at.request(path)
                        .header("Tus-Resumable", "1.0.0")
                        .method(method, BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return at.send(request.build());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }

    /** The bytes of an upload in the only chat that claims it. */
    private static String stored(String upload) throws Exception {
        String chat = server.newChat();
        String id = upload.substring(upload.lastIndexOf('/') + 1);
        server.post(
                "/api/assistant/chats/" + chat + "/files/claim", Map.of("fileIds", List.of(id)));
        return server.get("/api/assistant/chats/" + chat + "/files/" + id).body();
    }
}
