package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.FolderWatch;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** tus 1.0 by raw requests. */
class TusTest {
    private static final int PIECE = 8 << 20; // as TusUploads cuts them

    private ScriptedSandbox sandbox;
    private Path data;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.start(data, null, sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void optionsHasTheLimits() throws Exception {
        HttpResponse<String> response =
                server.send(
                        HttpRequest.newBuilder(server.url("/api/uploads"))
                                .method("OPTIONS", BodyPublishers.noBody())
                                .build());

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(header(response, "Tus-Version")).isEqualTo("1.0.0");
        assertThat(header(response, "Tus-Max-Size")).isEqualTo("10000000");
        assertThat(header(response, "Tus-Extension").split(","))
                .containsExactlyInAnyOrder(
                        "creation",
                        "creation-defer-length",
                        "termination",
                        "checksum",
                        "expiration",
                        "concatenation");
        assertThat(header(response, "Tus-Checksum-Algorithm")).contains("sha1");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aMessageCanClaimAFileOfSeveralRequests(Dialect dialect) throws Exception {
        try (TestServer other = TestServer.start(dialect, sandbox.url())) {
            String upload = header(create(other, "a ä.txt", 11), "Location");
            assertThat(offset(other, upload)).isZero();

            assertThat(patch(other, upload, 0, "hello ").statusCode()).isEqualTo(204);
            assertThat(offset(other, upload)).isEqualTo(6);
            HttpResponse<String> last = patch(other, upload, 6, "world");
            assertThat(header(last, "Upload-Offset")).isEqualTo("11");
            assertThat(last.headers().firstValue("Upload-Expires")).isEmpty();

            String id = upload.substring(upload.lastIndexOf('/') + 1);
            String body =
                    Json.MAPPER.writeValueAsString(
                            Map.of(
                                    "message",
                                    "Read",
                                    "context",
                                    Map.of("fileIds", new String[] {id})));
            try (Events events =
                    other.events(
                            other.request("/agent-server/api/chat")
                                    .POST(BodyPublishers.ofString(body))
                                    .build())) {
                String chat = events.next().orElseThrow().data().get("chatId").stringValue();
                sandbox.next().answers("Done.");
                events.rest();
                HttpResponse<String> file =
                        other.get("/api/assistant/chats/" + chat + "/files/" + id);
                assertThat(file.body()).isEqualTo("hello world");
                assertThat(
                                other.getJson("/agent-server/api/sessions/" + chat)
                                        .at("/files/0/filename")
                                        .stringValue())
                        .isEqualTo("a ä.txt");
            }
        }
    }

    @Test
    void aCompleteUploadLeavesNoChunks() throws Exception {
        HttpResponse<String> created = create(server, "a.txt", 4);
        String upload = header(created, "Location");
        patch(server, upload, 0, "ab");
        patch(server, upload, 2, "cd");

        String id = upload.substring(upload.lastIndexOf('/') + 1);
        assertThat(objects())
                .containsExactly(
                        header(created, "Satchel-Session-Id") + "/uploaded/" + id + ".txt");
    }

    @Test
    void aBrokenConnectionKeepsTheReceivedBytes() throws Exception {
        String content = "0123456789".repeat(990_000);
        String upload = header(create(server, "a.txt", content.length()), "Location");
        try (FolderWatch watch = new FolderWatch(data)) {
            try (Socket socket = sendSome(upload, content, 9_000_000)) {
                awaitOffset(watch, upload, PIECE); // it is stored while the rest is coming
                assertThat(socket.isConnected()).isTrue();
            }
            awaitOffset(watch, upload, PIECE + 1);
        }

        int kept = (int) offset(server, upload);
        patch(server, upload, kept, content.substring(kept));

        assertThat(offset(server, upload)).isEqualTo(content.length());
        assertThat(Files.readString(data.resolve("objects").resolve(objects().getFirst())))
                .isEqualTo(content);
    }

    @Test
    void aWrongOffsetIsAConflictAndChangesNothing() throws Exception {
        String upload = header(create(server, "a.txt", 10), "Location");
        patch(server, upload, 0, "abc");

        assertThat(patch(server, upload, 0, "abc").statusCode()).isEqualTo(409);
        assertThat(patch(server, upload, 5, "abc").statusCode()).isEqualTo(409);
        assertThat(offset(server, upload)).isEqualTo(3);
    }

    @Test
    void aWrongChecksumDropsTheRequestAndARightOneKeepsIt() throws Exception {
        String upload = header(create(server, "a.txt", 10), "Location");

        HttpResponse<String> wrong = patch(server, upload, 0, "hello", "sha1 " + sha1("other"));
        assertThat(wrong.statusCode()).isEqualTo(460);
        assertThat(offset(server, upload)).isZero();
        assertThat(patch(server, upload, 0, "hello", "crc32 AAAA").statusCode()).isEqualTo(400);

        HttpResponse<String> right = patch(server, upload, 0, "hello", "sha1 " + sha1("hello"));
        assertThat(right.statusCode()).isEqualTo(204);
        assertThat(offset(server, upload)).isEqualTo(5);
        assertThat(objects()).hasSize(1); // the refused bytes are gone
    }

    @Test
    void aTooLongUploadIsRefusedAtItsStartAndWhileItIsSent() throws Exception {
        assertThat(create(server, "a.txt", 10_000_001).statusCode()).isEqualTo(413);
        String upload = header(create(server, "a.txt", 3), "Location");
        assertThat(patch(server, upload, 0, "abcd").statusCode()).isEqualTo(413);
        assertThat(offset(server, upload)).isZero();
    }

    @Test
    void anEmptyUploadIsWholeAtOnce() throws Exception {
        HttpResponse<String> created = create(server, "empty.txt", 0);

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().firstValue("Upload-Expires")).isEmpty();
        assertThat(objects()).hasSize(1);
    }

    @Test
    void deletingAnUploadDeletesItsChunks() throws Exception {
        String upload = header(create(server, "a.txt", 10), "Location");
        patch(server, upload, 0, "abc");

        assertThat(server.send(tus(server, upload).DELETE().build()).statusCode()).isEqualTo(204);

        assertThat(objects()).isEmpty();
        assertThat(head(server, upload).statusCode()).isEqualTo(404);
        assertThat(patch(server, upload, 3, "d").statusCode()).isEqualTo(404);
    }

    @Test
    void anUnfinishedUploadHasAnExpiry() throws Exception {
        assertThat(header(create(server, "a.txt", 10), "Upload-Expires")).endsWith(" GMT");
    }

    @Test
    void anUnfinishedUploadCannotBeClaimed() throws Exception {
        String upload = header(create(server, "a.txt", 10), "Location");
        String id = upload.substring(upload.lastIndexOf('/') + 1);

        HttpResponse<String> response =
                server.post(
                        "/agent-server/api/chat",
                        Map.of("message", "Hi", "context", Map.of("fileIds", new String[] {id})));

        assertThat(response.statusCode()).isEqualTo(404);
    }

    @Test
    void anotherVersionIs412AndAnotherTypeIs415() throws Exception {
        HttpResponse<String> version =
                server.send(
                        server.request("/api/uploads")
                                .header("Tus-Resumable", "0.2.2")
                                .header("Upload-Length", "1")
                                .POST(BodyPublishers.noBody())
                                .build());
        String upload = header(create(server, "a.txt", 10), "Location");
        HttpResponse<String> type =
                server.send(
                        tus(server, upload)
                                .header("Upload-Offset", "0")
                                .header("Content-Type", "text/plain")
                                .method("PATCH", BodyPublishers.ofString("abc"))
                                .build());

        assertThat(version.statusCode()).isEqualTo(412);
        assertThat(header(version, "Tus-Version")).isEqualTo("1.0.0");
        assertThat(type.statusCode()).isEqualTo(415);
    }

    private static HttpResponse<String> create(TestServer server, String name, long length)
            throws IOException, InterruptedException {
        String encoded = Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
        return server.send(
                tus(server, "/api/uploads")
                        .header("Upload-Length", Long.toString(length))
                        .header("Upload-Metadata", "filename " + encoded)
                        .POST(BodyPublishers.noBody())
                        .build());
    }

    private static HttpResponse<String> patch(
            TestServer server, String upload, long offset, String content, String... checksum)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                tus(server, upload)
                        .header("Upload-Offset", Long.toString(offset))
                        .header("Content-Type", "application/offset+octet-stream");
        for (String sum : checksum) {
            request.header("Upload-Checksum", sum);
        }
        return server.send(request.method("PATCH", BodyPublishers.ofString(content)).build());
    }

    private static HttpResponse<String> head(TestServer server, String upload)
            throws IOException, InterruptedException {
        return server.send(tus(server, upload).method("HEAD", BodyPublishers.noBody()).build());
    }

    private static long offset(TestServer server, String upload)
            throws IOException, InterruptedException {
        HttpResponse<String> response = head(server, upload);
        assertThat(response.statusCode()).isEqualTo(200);
        return Long.parseLong(header(response, "Upload-Offset"));
    }

    /** The server stores and notices things in its own time. */
    private void awaitOffset(FolderWatch watch, String upload, long least) throws Exception {
        watch.until(() -> offset(server, upload) >= least);
    }

    /** Announces the whole, sends a part of it and leaves the connection open. */
    private Socket sendSome(String upload, String content, int count) throws IOException {
        URI url = server.url(upload);
        Socket socket = new Socket(url.getHost(), url.getPort());
        OutputStream out = socket.getOutputStream();
        String head =
                "PATCH %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nTus-Resumable: 1.0.0\r\n"
                        .formatted(upload, url.getAuthority(), TestServer.KEY);
        String rest =
                "Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: %d\r\n\r\n"
                        .formatted(content.length());
        out.write((head + rest).getBytes(StandardCharsets.US_ASCII));
        out.write(content.getBytes(StandardCharsets.US_ASCII), 0, count);
        out.flush();
        return socket;
    }

    private static HttpRequest.Builder tus(TestServer server, String path) {
        return server.request(path).header("Tus-Resumable", "1.0.0");
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers()
                .firstValue(name)
                .orElseThrow(
                        () -> new AssertionError(name + " is missing: " + response.statusCode()));
    }

    private static String sha1(String text) throws Exception {
        return Base64.getEncoder()
                .encodeToString(
                        MessageDigest.getInstance("SHA-1")
                                .digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private List<String> objects() throws IOException {
        Path root = data.resolve("objects");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
