package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.LostCommitProxy;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A commit whose answer is lost may have happened: no bytes are deleted. */
class LostCommitTest {
    @Test
    void anUploadGoesOnAfterALostCommit() throws Exception {
        try (LostCommitProxy database = new LostCommitProxy(TestDatabases.freshPostgresql());
                ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server =
                        TestServer.start(
                                Files.createTempDirectory("satchel-test-"),
                                database.url(),
                                sandbox.url())) {
            String upload = create(server);

            database.loseCommitWith("INSERT INTO upload_part");
            HttpResponse<String> lost = patch(server, upload, 0, "hello ");
            assertThat(database.left()).isZero();
            assertThat(lost.statusCode()).isGreaterThanOrEqualTo(500);

            long offset = offset(server, upload);
            assertThat(offset).as("the database has committed").isEqualTo(6);
            assertThat(patch(server, upload, offset, "world").statusCode()).isEqualTo(204);
            String id = upload.substring(upload.lastIndexOf('/') + 1);
            try (Events events =
                    server.events(
                            server.request("/agent-server/api/chat")
                                    .POST(BodyPublishers.ofString(claim(id)))
                                    .build())) {
                String chat = events.next().orElseThrow().data().get("chatId").stringValue();
                sandbox.next().answers("Done.");
                events.rest();
                assertThat(server.get("/api/assistant/chats/" + chat + "/files/" + id).body())
                        .isEqualTo("hello world");
            }
        }
    }

    private static String claim(String file) {
        return Json.MAPPER.writeValueAsString(
                Map.of("message", "Read", "context", Map.of("fileIds", List.of(file))));
    }

    private static String create(TestServer server) throws Exception {
        String name = Base64.getEncoder().encodeToString("a.txt".getBytes(StandardCharsets.UTF_8));
        return server.send(
                        server.request("/api/uploads")
                                .header("Tus-Resumable", "1.0.0")
                                .header("Upload-Length", "11")
                                .header("Upload-Metadata", "filename " + name)
                                .POST(BodyPublishers.noBody())
                                .build())
                .headers()
                .firstValue("Location")
                .orElseThrow();
    }

    private static HttpResponse<String> patch(
            TestServer server, String upload, long offset, String text) throws Exception {
        return server.send(
                server.request(upload)
                        .header("Tus-Resumable", "1.0.0")
                        .header("Upload-Offset", Long.toString(offset))
                        .header("Content-Type", "application/offset+octet-stream")
                        .method("PATCH", BodyPublishers.ofString(text))
                        .build());
    }

    private static long offset(TestServer server, String upload) throws Exception {
        return server.send(
                        server.request(upload)
                                .header("Tus-Resumable", "1.0.0")
                                .method("HEAD", BodyPublishers.noBody())
                                .build())
                .headers()
                .firstValueAsLong("Upload-Offset")
                .orElseThrow();
    }
}
