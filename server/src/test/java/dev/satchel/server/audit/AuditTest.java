package dev.satchel.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTest {
    @Test
    void everythingThatHappensToAFileLeavesOneRow(@TempDir Path data) throws Exception {
        String chat;
        try (TestServer server = TestServer.start(data, null, null)) {
            chat = server.newChat();
            String file = server.upload(chat, "a.txt", "secret content").get("id").stringValue();
            delete(server, "/api/assistant/chats/" + chat + "/files/" + file);
            HttpResponse<String> made =
                    server.send(
                            server.request("/api/assets")
                                    .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                    .POST(new MultipartBody().file("b.txt", "1").publisher())
                                    .build());
            delete(
                    server,
                    "/api/assets/"
                            + Json.MAPPER.readTree(made.body()).at("/assets/0/id").stringValue());
            server.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of());
            delete(server, "/api/assistant/chats/" + chat + "/mcp-token");
            delete(server, "/api/assistant/chats/" + chat);
            delete(server, "/agent-server/api/sessions/" + chat);
        }
        List<AuditEvent> events;
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            events = database.read(tx -> new AuditStore().ofTenant(tx, TenantId.DEFAULT));
        }

        assertThat(events)
                .extracting(event -> event.action() + " " + event.detail())
                .containsExactly(
                        "UPLOAD {from=user}",
                        "DELETE {what=file}",
                        "UPLOAD {what=asset}",
                        "DELETE {what=asset}",
                        "TOKEN {event=issued}",
                        "TOKEN {event=revoked}",
                        "DELETE {what=chat}",
                        "DELETE {what=session}");
        assertThat(events.toString()).doesNotContain("secret").doesNotContain("pmcp_");
    }

    private static void delete(TestServer server, String path) throws Exception {
        assertThat(server.send(server.request(path).DELETE().build()).statusCode()).isEqualTo(204);
    }
}
