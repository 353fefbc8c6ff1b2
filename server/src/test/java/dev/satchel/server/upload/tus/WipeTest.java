package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wiped conversation leaves no row behind, in whichever table a later feature keeps one. */
class WipeTest {
    private static final String WITH_CONVERSATION =
            """
            SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
             WHERE m.type = 'table' AND c.name = 'conversation_id'
            """;

    private static final String SNAPSHOT =
            """
            INSERT INTO snapshot (id, tenant_id, conversation_id, number, generation, manifest, packs, files,
                                  bytes, created_at)
            VALUES ('s', 'default', ?, 1, 1, 'm', '[]', 0, 0, 0)
            """;

    private static final String SESSION =
            """
            INSERT INTO session (conversation_id, agent_name, setup, status)
            VALUES (?, 'a', '{}', 'active')
            """;

    @Test
    void noTableKeepsARowOfAWipedConversation(@TempDir Path data) throws Exception {
        String chat;
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(data, null, sandbox.url())) {
            try (Events events = server.turn(Map.of("message", "Hello"))) {
                chat = events.next().orElseThrow().data().get("chatId").stringValue();
                sandbox.next().answers("Done.");
                events.rest();
            }
            server.upload(chat, "a.txt", "1");
            server.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of());
            insert(data, SNAPSHOT, chat);
            insert(data, SESSION, chat);

            String session = "/agent-server/api/sessions/" + chat;
            assertThat(server.send(server.request(session).DELETE().build()).statusCode())
                    .isEqualTo(204);
        }

        assertThat(tablesWith(data, chat)).isEmpty();
    }

    @Test
    void snapshotsAndTheLiveWorkspaceGoAndNobodyElsesDo(@TempDir Path data) throws Exception {
        try (TestServer server = TestServer.start(data, null, null)) {
            String chat = keptChat(server, data);
            String other = keptChat(server, data);
            assertThat(pathsOf(data, chat)).anyMatch(path -> path.contains("snapshot"));

            server.send(server.request("/agent-server/api/sessions/" + chat).DELETE().build());

            assertThat(pathsOf(data, chat)).isEmpty();
            assertThat(pathsOf(data, other)).isNotEmpty();
            assertThat(server.get("/api/sessions/" + chat + "/files").statusCode()).isEqualTo(404);
            assertThat(server.get("/api/sessions/" + other + "/files/a.txt").body())
                    .isEqualTo("kept");
        }
    }

    /** A conversation with a file in its bag, one in its live workspace, and a snapshot of that. */
    private static String keptChat(TestServer server, Path data) throws Exception {
        String chat = server.newChat();
        server.upload(chat, "bag.txt", "1");
        Path workspace = Files.createDirectories(data.resolve("runner/workspaces").resolve(chat));
        Files.writeString(workspace.resolve("a.txt"), "kept");
        assertThat(server.post("/api/sessions/" + chat + "/pause", Map.of()).statusCode())
                .isEqualTo(200);
        return chat;
    }

    /** Whatever lies in the server's folder under a name that tells the conversation. */
    private static List<String> pathsOf(Path data, String chat) throws IOException {
        try (Stream<Path> paths = Files.walk(data)) {
            return paths.map(Path::toString).filter(path -> path.contains(chat)).toList();
        }
    }

    private static List<String> tablesWith(Path data, String chat) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = open(data);
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(WITH_CONVERSATION)) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            assertThat(tables).contains("message", "run", "bag_file", "snapshot");
            for (String table : tables) {
                String count =
                        "SELECT COUNT(*) FROM %s WHERE conversation_id = '%s'"
                                .formatted(table, chat);
                try (ResultSet rows = statement.executeQuery(count)) {
                    if (rows.next() && rows.getLong(1) > 0) {
                        found.add(table);
                    }
                }
            }
        }
        return found;
    }

    private static void insert(Path data, String sql, String chat) throws SQLException {
        try (Connection connection = open(data);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, chat);
            statement.execute();
        }
    }

    private static Connection open(Path data) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + data.resolve("satchel.db"));
    }
}
