package dev.satchel.server.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatedUploadTest {
    private static final int LONG = 3_000_000;

    @TempDir Path data;
    private TestServer server;
    private String files;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start(data, null, null);
        files = "/api/assistant/chats/" + server.newChat() + "/files";
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aFormIsTheSameWhateverItsBoundary() throws Exception {
        HttpResponse<String> first = upload("boundary-1", "short");
        HttpResponse<String> again = upload("another--boundary", "short");

        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(server.getJson(files).get("files")).hasSize(1);
        assertThat(upload("boundary-1", "other").statusCode()).isEqualTo(422);
    }

    @Test
    void aLongFormIsHashedAsItStreams() throws Exception {
        HttpResponse<String> first = upload("boundary-1", "x".repeat(LONG));
        HttpResponse<String> again = upload("boundary-2", "x".repeat(LONG));

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(server.getJson(files).get("files")).hasSize(1);
        assertThat(upload("boundary-1", "x".repeat(LONG - 1) + "y").statusCode()).isEqualTo(422);
        assertThat(server.getJson(files).get("files")).hasSize(1);
    }

    @Test
    void anInterruptedUploadMayBeSentAgain() throws Exception {
        String whole = form("b", "x".repeat(LONG));
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.url("").getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(head(files, "b", whole.length()).getBytes(StandardCharsets.UTF_8));
            out.write(whole.substring(0, LONG / 2).getBytes(StandardCharsets.UTF_8));
        }

        HttpResponse<String> again = upload("b", "x".repeat(LONG));

        assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
        assertThat(server.getJson(files).get("files")).hasSize(1);
    }

    /** Over the wire by hand: the key is in use until we send the rest, or the server dies. */
    @Test
    void anUploadToAKilledServerMayBeSentAgain() throws Exception {
        String whole = form("b", "x".repeat(LONG));
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.url("").getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(head(files, "b", whole.length()).getBytes(StandardCharsets.UTF_8));
            out.write(whole.substring(0, LONG / 2).getBytes(StandardCharsets.UTF_8));
            server.stop();
            awaitEnd(socket.getInputStream());
        }
        server = TestServer.start(data, null, null);

        assertThat(upload("b", "x".repeat(LONG)).statusCode()).isEqualTo(201);
    }

    @Test
    void aChunkOfAResumableUploadIsStoredOnce() throws Exception {
        HttpResponse<String> made =
                server.send(
                        server.request("/api/uploads")
                                .header("Idempotency-Key", "create")
                                .header("Tus-Resumable", "1.0.0")
                                .header("Upload-Length", "6")
                                .header("Upload-Metadata", "filename YS50eHQ=")
                                .POST(BodyPublishers.noBody())
                                .build());
        String path = URI.create(made.headers().firstValue("Location").orElseThrow()).getPath();

        HttpResponse<String> first = append(path, "abcdef");
        HttpResponse<String> again = append(path, "abcdef");

        assertThat(first.statusCode()).as(first.body()).isEqualTo(204);
        assertThat(again.statusCode()).isEqualTo(204);
        assertThat(again.headers().firstValue("Upload-Offset")).hasValue("6");
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(append(path, "uvwxyz").statusCode()).isEqualTo(422);
    }

    private HttpResponse<String> append(String path, String bytes) throws Exception {
        return server.send(
                server.request(path)
                        .header("Idempotency-Key", "piece")
                        .header("Tus-Resumable", "1.0.0")
                        .header("Upload-Offset", "0")
                        .header("Content-Type", "application/offset+octet-stream")
                        .method("PATCH", BodyPublishers.ofString(bytes))
                        .build());
    }

    private HttpResponse<String> upload(String boundary, String content) throws Exception {
        return server.send(
                server.request(files)
                        .header("Idempotency-Key", "the-file")
                        .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                        .POST(BodyPublishers.ofString(form(boundary, content)))
                        .build());
    }

    private static String form(String boundary, String content) {
        return "--"
                + boundary
                + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
                + content
                + "\r\n--"
                + boundary
                + "--\r\n";
    }

    private static String head(String path, String boundary, int length) {
        return "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nIdempotency-Key: the-file\r\nContent-Type: multipart/form-data; boundary=%s\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, TestServer.KEY, boundary, length);
    }

    private static void awaitEnd(InputStream in) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // cut, which is as good an end as any
        }
    }
}
