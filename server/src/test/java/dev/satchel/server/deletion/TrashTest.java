package dev.satchel.server.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What happens to a deleted chat before and after its grace time. */
class TrashTest {
    private static final Duration GRACE = Duration.ofDays(30);

    /** Tables whose rows may outlive a chat: the log of what happened, and counters. */
    private static final List<String> NOT_OF_A_CHAT = List.of("audit", "tenant_usage");

    @TempDir private Path data;
    private final MovableClock clock = new MovableClock();
    private ScriptedSandbox sandbox;
    private @Nullable URI database;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @AfterEach
    void stop() {
        sandbox.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void afterTheGraceTimeNothingIsLeft(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String chat = filledChat(server);
            String other = filledChat(server);
            delete(server, chat);
            assertThat(tablesWith(chat)).contains("message", "run", "bag_file", "snapshot");

            clock.advance(GRACE.plusSeconds(1));
            server.sweep();

            assertThat(tablesWith(chat)).isEmpty();
            assertThat(pathsOf(chat)).isEmpty();
            assertThat(pathsOf(other)).isNotEmpty();
            assertThat(restore(server, chat)).isEqualTo(404);
            assertThat(server.getJson("/api/storage").get("chats").size()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void oneSweepDeletesAllHeadlessRunsThatWereNeverStarted(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect);
                Connection connection = open();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 150; i++) {
                statement.executeUpdate(
                        """
                        INSERT INTO conversation (id, tenant_id, type, message_count, generation, created_at, updated_at)
                        VALUES ('%s', 'default', 'run', 0, 0, 0, 0)
                        """
                                .formatted(UUID.randomUUID()));
            }

            server.sweep();

            try (ResultSet left = statement.executeQuery("SELECT COUNT(*) FROM conversation")) {
                assertThat(left.next()).isTrue();
                assertThat(left.getLong(1)).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void withinTheGraceTimeAChatCanBeRestored(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String chat = filledChat(server);
            delete(server, chat);

            clock.advance(GRACE.minusSeconds(1));
            server.sweep();

            assertThat(restore(server, chat)).isEqualTo(200);
            JsonNode files = server.getJson("/api/assistant/chats/" + chat + "/files");
            assertThat(files.get("files").size()).isEqualTo(1);
            assertThat(server.get("/api/sessions/" + chat + "/files/made.txt").body())
                    .isEqualTo("made");
        }
    }

    @Test
    void theStoragePageSaysWhenADeletedChatIsErased() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            String chat = filledChat(server);
            assertThat(server.getJson("/api/storage").at("/chats/0/erasedAt").isNull()).isTrue();

            delete(server, chat);

            assertThat(server.getJson("/api/storage").at("/chats/0/erasedAt").longValue())
                    .isEqualTo(clock.instant().plus(GRACE).toEpochMilli());
        }
    }

    /** A page is 200 conversations; one that cannot be erased does not hold up the others. */
    @Test
    void aSweepErasesMoreChatsThanOnePage() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            for (int i = 0; i < 450; i++) {
                delete(server, server.newChat());
            }
            clock.advance(GRACE.plusSeconds(1));
            server.sweep();

            assertThat(number("SELECT COUNT(*) FROM conversation")).isZero();
        }
    }

    @Test
    void oldTokensAndAuditRowsAreDeleted() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            String chat = filledChat(server);
            assertThat(number("SELECT COUNT(*) FROM run_token")).isEqualTo(3);
            assertThat(number("SELECT COUNT(*) FROM audit")).isPositive();

            clock.advance(Duration.ofDays(8));
            server.sweep();
            assertThat(number("SELECT COUNT(*) FROM run_token")).isZero();
            assertThat(number("SELECT COUNT(*) FROM audit")).isPositive();

            clock.advance(Duration.ofDays(360));
            server.sweep();
            assertThat(number("SELECT COUNT(*) FROM audit")).isZero();
            assertThat(server.get("/api/assistant/chats/" + chat).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anOldHeadlessRunIsErased(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String old = headlessRun(server);
            clock.advance(Duration.ofDays(60));
            String recent = headlessRun(server);

            clock.advance(Duration.ofDays(31));
            server.sweep();

            assertThat(server.get("/api/runs/" + old).statusCode()).isEqualTo(404);
            assertThat(tablesWith(old)).isEmpty();
            assertThat(pathsOf(old)).isEmpty();
            assertThat(server.get("/api/runs/" + recent).statusCode()).isEqualTo(200);
            assertThat(tablesWith(recent)).contains("run", "run_line", "conversation");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void chatExpiresUnlessItIsPinned(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect, Duration.ofDays(90))) {
            String old = filledChat(server);
            String pinned = filledChat(server);
            String path = "/api/assistant/chats/" + pinned;
            assertThat(server.send("PATCH", path, Map.of("pinned", true)).statusCode())
                    .isEqualTo(200);
            clock.advance(Duration.ofDays(60));
            String recent = filledChat(server);

            clock.advance(Duration.ofDays(31));
            server.sweep();

            assertThat(restore(server, old)).isEqualTo(404);
            assertThat(tablesWith(old)).isEmpty();
            assertThat(pathsOf(old)).isEmpty();
            assertThat(tablesWith(pinned)).contains("chat_mark", "message", "snapshot");
            assertThat(server.get("/api/assistant/chats/" + recent).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void chatsDoNotExpireByDefault() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            String chat = filledChat(server);
            clock.advance(Duration.ofDays(10_000));
            server.sweep();

            assertThat(server.get("/api/assistant/chats/" + chat).statusCode()).isEqualTo(200);
        }
    }

    private String headlessRun(TestServer server) throws Exception {
        String name = "agent-" + clock.millis();
        HttpResponse<String> agent =
                server.post("/api/agents", Map.of("name", name, "systemPrompt", "Be brief."));
        String id = Json.MAPPER.readTree(agent.body()).get("id").stringValue();
        HttpRequest request =
                server.request("/api/agents/" + id + "/runs")
                        .header("Accept", "application/x-ndjson")
                        .POST(BodyPublishers.ofString("{\"prompt\":\"go\"}"))
                        .build();
        try (Events events = server.events(request)) {
            sandbox.next().answers("done");
            JsonNode first = Json.MAPPER.readTree(events.line().orElseThrow());
            while (events.line().isPresent()) {}
            return first.get("runId").stringValue();
        }
    }

    private TestServer start(Dialect dialect) throws Exception {
        return start(dialect, Duration.ZERO);
    }

    private TestServer start(Dialect dialect, Duration maxAgeOfChats) throws Exception {
        database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        Configuration usual =
                TestConfiguration.withMaxAgeOfChats(
                        TestServer.configuration(data, database, sandbox.url()), maxAgeOfChats);
        return TestServer.start(
                TestConfiguration.withSandbox(
                        usual, TestConfiguration.remote(sandbox.url(), data.resolve("workspaces"))),
                clock);
    }

    /** A chat with messages, a run, a file, a token, a workspace and a snapshot. */
    private String filledChat(TestServer server) throws Exception {
        String chat = server.newChat();
        server.upload(chat, "bag.txt", "1");
        server.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of());
        try (Events events = server.turn(Map.of("message", "go", "chatId", chat))) {
            ScriptedSandbox.RunOnStage run = sandbox.next();
            Path workspace = Files.createDirectories(data.resolve("workspaces").resolve(chat));
            Files.writeString(workspace.resolve("made.txt"), "made");
            run.answers("done");
            events.rest();
        }
        return chat;
    }

    private static void delete(TestServer server, String chat) throws Exception {
        String path = "/api/assistant/chats/" + chat;
        assertThat(server.sendAs(TestServer.KEY, "DELETE", path).statusCode()).isEqualTo(204);
    }

    private static int restore(TestServer server, String chat) throws Exception {
        return server.post("/api/assistant/chats/" + chat + "/restore", Map.of()).statusCode();
    }

    private List<String> pathsOf(String chat) throws IOException {
        try (Stream<Path> paths = Files.walk(data)) {
            return paths.map(Path::toString).filter(path -> path.contains(chat)).toList();
        }
    }

    /** The tables in which any column has the id of the chat. */
    private List<String> tablesWith(String chat) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            for (String table : tables(connection)) {
                if (!NOT_OF_A_CHAT.contains(table) && mentions(statement, table, chat)) {
                    found.add(table);
                }
            }
        }
        return found;
    }

    private static boolean mentions(Statement statement, String table, String text)
            throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    String value = rows.getString(i);
                    if (value != null && value.contains(text)) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        String schema = connection.getMetaData().getURL().contains("postgresql") ? "public" : null;
        try (ResultSet rows =
                connection.getMetaData().getTables(null, schema, "%", new String[] {"TABLE"})) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME"));
            }
        }
        return tables;
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private Connection open() throws SQLException {
        URI url = database;
        if (url == null) {
            return DriverManager.getConnection("jdbc:sqlite:" + data.resolve("satchel.db"));
        }
        return DriverManager.getConnection(
                "jdbc:postgresql://localhost:" + url.getPort() + url.getPath(),
                "postgres",
                "postgres");
    }
}
