package dev.satchel.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is in the index, and what is not any more. */
class SearchIndexTest {
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

    /** As after an upgrade from a version without an index. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void whatWasStoredBeforeThereWasAnIndexIsIndexedLater(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String chat = filledChat(server);
            List<String> before = kinds(server);
            assertThat(before).containsExactlyInAnyOrder("message", "message", "chat", "file");
            execute("DELETE FROM search_entry");
            execute("UPDATE search_progress SET after_id = '', after_seq = 0, done = 0");
            assertThat(kinds(server)).isEmpty();

            server.sweep();

            assertThat(kinds(server)).containsExactlyInAnyOrderElementsOf(before);
            server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat);
            assertThat(kinds(server)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anErasedChatLeavesNothingInTheIndex(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String chat = filledChat(server);
            assertThat(number("SELECT COUNT(*) FROM search_entry")).isEqualTo(4);

            server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat);
            clock.advance(Duration.ofDays(31));
            server.sweep();

            assertThat(number("SELECT COUNT(*) FROM search_entry")).isZero();
            if (dialect == Dialect.SQLITE) {
                assertThat(number("SELECT COUNT(*) FROM search_index_docsize")).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aHeadlessRunIsNotSearched(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            execute(
                    """
                    INSERT INTO conversation (id, tenant_id, type, message_count, generation, created_at, updated_at)
                    VALUES ('run-1', 'default', 'run', 0, 0, 0, 0)
                    """);
            execute(
                    """
                    INSERT INTO bag_file (id, tenant_id, conversation_id, name, name_key, path, mime_type, size,
                                          sha256, storage_key, source, created_at, arrived_at)
                    VALUES ('file-1', 'default', 'run-1', 'capybara.txt', 'k', 'p', 't', 1, 's', 'k', 'user', 0, 1)
                    """);

            server.sweep();

            assertThat(kinds(server)).isEmpty();
            assertThat(number("SELECT COUNT(*) FROM search_entry")).isZero();
        }
    }

    @Test
    void aMessageOfOneServerIsFoundOnAnother() throws Exception {
        database = TestDatabases.freshPostgresql();
        try (TestServer one = TestServer.start(data.resolve("1"), database, sandbox.url());
                TestServer two = TestServer.start(data.resolve("2"), database, sandbox.url())) {
            filledChat(one);

            assertThat(kinds(two)).hasSize(4);
        }
    }

    private TestServer start(Dialect dialect) throws Exception {
        database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        return TestServer.start(TestServer.configuration(data, database, sandbox.url()), clock);
    }

    private String filledChat(TestServer server) throws Exception {
        String chat = server.newChat();
        server.upload(chat, "capybara.txt", "1");
        Map<String, String> message = Map.of("message", "a capybara", "chatId", chat);
        try (Events events = server.turn(message)) {
            sandbox.next().answers("many capybara");
            events.rest();
        }
        return chat;
    }

    private static List<String> kinds(TestServer server) throws Exception {
        List<String> kinds = new ArrayList<>();
        server.getJson("/api/search?q=capybara")
                .get("hits")
                .forEach(hit -> kinds.add(hit.get("kind").stringValue()));
        return kinds;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
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
