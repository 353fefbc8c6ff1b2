package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Files that users attach to a session. */
class AttachmentsTest {
    private SharedDisk disk;
    private String session;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start();
        session = disk.create();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void anAttachmentIsStoredListedAndDownloaded() throws Exception {
        JsonNode stored =
                Json.MAPPER
                        .readTree(
                                add(Map.of("filename", "notes.txt", "content", "aGVsbG8=")).body())
                        .get("attachment");

        assertThat(stored.get("filename").stringValue()).isEqualTo("notes.txt");
        assertThat(stored.get("size").intValue()).isEqualTo(5);
        assertThat(stored.get("messageId").stringValue()).isEqualTo("unlinked");
        assertThat(
                        disk.server()
                                .getJson("/api/sessions/" + session + "/attachments")
                                .get("attachments")
                                .get(0))
                .isEqualTo(stored);
        assertThat(disk.server().get("/api/attachments/" + stored.get("id").stringValue()).body())
                .isEqualTo("hello");
    }

    @Test
    void aDeletedAttachmentIsNotFoundAndAnotherTenantCannotDeleteOne() throws Exception {
        JsonNode stored =
                Json.MAPPER
                        .readTree(add(Map.of("filename", "a.txt", "content", "aGVsbG8=")).body())
                        .get("attachment");
        String path = "/api/attachments/" + stored.get("id").stringValue();

        assertThat(disk.server().sendAs(disk.server().keyOf("other"), "DELETE", path).statusCode())
                .isEqualTo(404);
        assertThat(disk.server().get(path).body()).isEqualTo("hello");
        assertThat(disk.server().sendAs(TestServer.KEY, "DELETE", path).body())
                .isEqualTo("{\"id\":" + stored.get("id") + ",\"deleted\":true}");
        assertThat(disk.server().get(path).statusCode()).isEqualTo(404);
        assertThat(disk.server().sendAs(TestServer.KEY, "DELETE", path).statusCode())
                .isEqualTo(404);
    }

    @Test
    void anInvalidAttachmentIsRefusedWithTheReason() throws Exception {
        assertThat(add(Map.of("filename", "a.txt", "content", "!")).body())
                .isEqualTo("{\"error\":\"content is not base64\",\"statusCode\":400}");
        assertThat(add(Map.of("content", "aGVsbG8=")).statusCode()).isEqualTo(400);
        assertThat(disk.server().get("/api/attachments/nonsense").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> add(Map<String, String> body) throws Exception {
        return disk.server().post("/api/sessions/" + session + "/attachments", body);
    }
}
