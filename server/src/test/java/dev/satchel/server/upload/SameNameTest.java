package dev.satchel.server.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Files with the same name that come together keep their order, also in one millisecond. */
class SameNameTest {
    private static final int FILES = 6;
    private static final List<String> NAMES =
            List.of("a.txt", "a-1.txt", "a-2.txt", "a-3.txt", "a-4.txt", "a-5.txt");

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        Clock stopped = Clock.fixed(Instant.parse("2026-11-16T12:00:00Z"), ZoneOffset.UTC);
        server =
                TestServer.start(
                        TestServer.configuration(
                                Files.createTempDirectory("satchel-test-"), null, null),
                        stopped);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void inOneMultipartRequest() throws Exception {
        String chat = server.newChat();

        HttpResponse<String> sent = multipart("/api/assistant/chats/" + chat + "/files");

        assertThat(sent.statusCode()).isEqualTo(201);
        assertInOrder(Json.MAPPER.readTree(sent.body()).get("files"));
        assertInOrder(files(chat));
    }

    @Test
    void inOneClaimOfUploads() throws Exception {
        String chat = server.newChat();
        List<String> ids =
                Json.MAPPER
                        .readTree(multipart("/agent-server/api/upload").body())
                        .get("files")
                        .valueStream()
                        .map(file -> file.get("fileId").stringValue())
                        .toList();

        claim(chat, ids);

        assertInOrder(files(chat));
    }

    /** The last one is complete first. */
    @Test
    void inOneClaimOfTusUploadsWhateverTheOrderOfTheirBytes() throws Exception {
        String chat = server.newChat();
        List<String> ids = new ArrayList<>();
        for (int number = 0; number < FILES; number++) {
            ids.add(announce(1 + number));
        }
        for (int number = FILES - 1; number >= 0; number--) {
            patch(ids.get(number), "x".repeat(1 + number));
        }

        claim(chat, ids);

        assertInOrder(files(chat));
    }

    private HttpResponse<String> multipart(String path) throws Exception {
        MultipartBody form = new MultipartBody();
        IntStream.range(0, FILES).forEach(number -> form.file("a.txt", "x".repeat(1 + number)));
        return server.send(
                server.request(path)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(form.publisher())
                        .build());
    }

    private String announce(int length) throws Exception {
        HttpResponse<String> created =
                server.send(
                        server.request("/api/uploads")
                                .header("Tus-Resumable", "1.0.0")
                                .header("Upload-Length", String.valueOf(length))
                                .header("Upload-Metadata", "filename YS50eHQ=")
                                .POST(BodyPublishers.noBody())
                                .build());
        String location = created.headers().firstValue("Location").orElseThrow();
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private void patch(String upload, String content) throws Exception {
        HttpResponse<String> patched =
                server.send(
                        server.request("/api/uploads/" + upload)
                                .header("Tus-Resumable", "1.0.0")
                                .header("Upload-Offset", "0")
                                .header("Content-Type", "application/offset+octet-stream")
                                .method("PATCH", BodyPublishers.ofString(content))
                                .build());
        assertThat(patched.statusCode()).isEqualTo(204);
    }

    private void claim(String chat, List<String> ids) throws Exception {
        String path = "/api/assistant/chats/" + chat + "/files/claim";
        assertThat(server.post(path, Map.of("fileIds", ids)).statusCode()).isEqualTo(201);
    }

    private JsonNode files(String chat) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat + "/files").get("files");
    }

    /** Every file is one byte longer than the one before. */
    private static void assertInOrder(JsonNode files) {
        assertThat(files.valueStream().map(file -> file.get("name").stringValue()))
                .containsExactlyElementsOf(NAMES);
        assertThat(files.valueStream().map(file -> file.get("size").intValue()))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, FILES).boxed().toList());
    }
}
