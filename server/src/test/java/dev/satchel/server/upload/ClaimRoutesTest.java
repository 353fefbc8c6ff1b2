package dev.satchel.server.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Resumable uploads becoming files of a chat that is there already. */
class ClaimRoutesTest {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFinishedUploadBecomesAFileOfTheChatUnderAFreeName(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String chat = server.newChat();
            server.upload(chat, "a.txt", "there before");
            String upload = upload(server, "a.txt", "", "hello");

            HttpResponse<String> claimed = claim(server, chat, List.of(upload));

            assertThat(claimed.statusCode()).isEqualTo(201);
            JsonNode file = Json.MAPPER.readTree(claimed.body()).at("/files/0");
            assertThat(file.get("id").stringValue()).isEqualTo(upload);
            assertThat(file.get("name").stringValue()).isEqualTo("a-1.txt");
            assertThat(file.get("source").stringValue()).isEqualTo("user");
            assertThat(server.get(files(chat) + "/" + upload).body()).isEqualTo("hello");
        }
    }

    @Test
    void theSameClaimAgainGivesTheSameAnswer() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            String chat = server.newChat();
            List<String> ids = List.of(upload(server, "a.txt", "", "1"));

            String once = claim(server, chat, ids).body();

            assertThat(claim(server, chat, ids).body()).isEqualTo(once);
            assertThat(server.getJson(files(chat)).get("files").size()).isEqualTo(1);
        }
    }

    @Test
    void theFolderOfAnUploadStaysInItsName() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            String chat = server.newChat();
            List<String> ids = List.of(upload(server, "../a.txt", "src/deep/", "1"));

            assertThat(Json.MAPPER.readTree(claim(server, chat, ids).body()).at("/files/0/name"))
                    .isEqualTo(Json.MAPPER.valueToTree("src/deep/a.txt"));
        }
    }

    @Test
    void oneInvalidFileRefusesTheWholeClaim() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            String chat = server.newChat();
            String mine = upload(server, "a.txt", "", "1");
            String elsewhere = upload(server, "b.txt", "", "1");
            claim(server, server.newChat(), List.of(elsewhere));

            assertThat(claim(server, chat, List.of(mine, elsewhere)).statusCode()).isEqualTo(404);
            assertThat(claim(server, chat, List.of("x")).statusCode()).isEqualTo(404);
            assertThat(claim(server, chat, List.of()).statusCode()).isEqualTo(400);
            assertThat(claim(server, "x", List.of(mine)).statusCode()).isEqualTo(404);
            assertThat(server.getJson(files(chat)).get("files").isEmpty()).isTrue();
        }
    }

    private static HttpResponse<String> claim(TestServer server, String chat, List<String> ids)
            throws Exception {
        return server.post(files(chat) + "/claim", Map.of("fileIds", ids));
    }

    private static String files(String chat) {
        return "/api/assistant/chats/" + chat + "/files";
    }

    /** A whole upload by tus; gives its id. */
    private static String upload(TestServer server, String name, String folder, String content)
            throws Exception {
        String metadata = "filename " + encoded(name) + ",folder " + encoded(folder);
        HttpResponse<String> created =
                server.send(
                        server.request("/api/uploads")
                                .header("Tus-Resumable", "1.0.0")
                                .header("Upload-Length", String.valueOf(content.length()))
                                .header("Upload-Metadata", metadata)
                                .POST(BodyPublishers.noBody())
                                .build());
        String location =
                URI.create(created.headers().firstValue("Location").orElseThrow()).getPath();
        server.send(
                server.request(location)
                        .header("Tus-Resumable", "1.0.0")
                        .header("Upload-Offset", "0")
                        .header("Content-Type", "application/offset+octet-stream")
                        .method("PATCH", BodyPublishers.ofString(content))
                        .build());
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
