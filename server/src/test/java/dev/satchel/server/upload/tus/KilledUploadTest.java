package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.FolderWatch;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed in the middle of an upload; the next one goes on. */
class KilledUploadTest {
    private static final int PIECE = 8 << 20; // as TusUploads cuts them

    private final HttpClient client = CheckedHttpClient.http11();

    @Test
    void anUploadContinuesAfterTheLastFlushedChunkOfAKilledServer(@TempDir Path data)
            throws Exception {
        byte[] bytes = new byte[PIECE + 1_000_000];
        new Random(7).nextBytes(bytes);
        try (ScriptedSandbox sandbox = new ScriptedSandbox()) {
            String upload;
            try (ServerProcess first = ServerProcess.start(data, null, sandbox.url())) {
                upload = create(first.url(), bytes.length);
                try (FolderWatch watch = new FolderWatch(data);
                        Socket socket = sendSome(first.url(), upload, bytes)) {
                    watch.until(() -> offset(first.url(), upload) == PIECE);
                    assertThat(socket.isConnected()).isTrue();
                    first.kill();
                }
            }
            try (ServerProcess second = ServerProcess.start(data, null, sandbox.url())) {
                assertThat(offset(second.url(), upload)).isEqualTo(PIECE);
                HttpResponse<Void> rest =
                        client.send(
                                tus(second.url().resolve(upload))
                                        .header("Upload-Offset", Integer.toString(PIECE))
                                        .header("Content-Type", "application/offset+octet-stream")
                                        .method(
                                                "PATCH",
                                                BodyPublishers.ofByteArray(
                                                        bytes, PIECE, bytes.length - PIECE))
                                        .build(),
                                BodyHandlers.discarding());
                assertThat(rest.statusCode()).isEqualTo(204);
            }
        }
        try (Stream<Path> files = Files.walk(data.resolve("objects"))) {
            Path file = files.filter(f -> f.toString().endsWith(".bin")).findFirst().orElseThrow();
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        }
    }

    private String create(URI server, long length) throws IOException, InterruptedException {
        HttpResponse<Void> created =
                client.send(
                        tus(server.resolve("/api/uploads"))
                                .header("Upload-Length", Long.toString(length))
                                .header("Upload-Metadata", "filename YS5iaW4=") // a.bin
                                .POST(BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.discarding());
        return created.headers().firstValue("Location").orElseThrow();
    }

    /** Everything but the last byte, so that the server waits for it when it is killed. */
    private static Socket sendSome(URI server, String upload, byte[] bytes) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        OutputStream out = socket.getOutputStream();
        String head =
                "PATCH %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nTus-Resumable: 1.0.0\r\n"
                        .formatted(upload, server.getAuthority(), TestServer.KEY);
        String rest =
                "Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: %d\r\n\r\n"
                        .formatted(bytes.length);
        out.write((head + rest).getBytes(StandardCharsets.US_ASCII));
        out.write(bytes, 0, bytes.length - 1);
        out.flush();
        return socket;
    }

    private long offset(URI server, String upload) throws IOException, InterruptedException {
        HttpResponse<Void> head =
                client.send(
                        tus(server.resolve(upload)).method("HEAD", BodyPublishers.noBody()).build(),
                        BodyHandlers.discarding());
        return Long.parseLong(head.headers().firstValue("Upload-Offset").orElseThrow());
    }

    private static HttpRequest.Builder tus(URI url) {
        return HttpRequest.newBuilder(url)
                .header("Authorization", "Bearer " + TestServer.KEY)
                .header("Tus-Resumable", "1.0.0");
    }
}
