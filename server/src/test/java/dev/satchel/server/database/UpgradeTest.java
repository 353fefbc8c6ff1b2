package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The version before runs on a database that the new version has migrated, alone and beside it. The
 * version before is the build that {@code -Dsatchel.previous} names by its class path; without it,
 * this build takes its place, and a step that only adds stands for the new version.
 */
@Timeout(120)
class UpgradeTest {
    private static final String PREVIOUS =
            System.getProperty("satchel.previous", System.getProperty("java.class.path"));

    @TempDir Path folder;

    @Test
    void theVersionBeforeRunsOnASchemaThatHasMore() throws Exception {
        Path data = folder.resolve("data");
        try (ScriptedSandbox sandbox = new ScriptedSandbox()) {
            Map<String, String> settings = Map.of("SANDBOX_URL", sandbox.url().toString());
            ServerProcess.start(data, settings, PREVIOUS).close();
            try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
                migrateToNext(database);
            }
            try (ServerProcess before = ServerProcess.start(data, settings, PREVIOUS)) {
                assertWorks(before, sandbox);
            }
        }
    }

    @Test
    void theVersionBeforeRunsBesideTheNewOne() throws Exception {
        URI url = TestDatabases.freshPostgresql();
        try (ScriptedSandbox sandbox = new ScriptedSandbox()) {
            Map<String, String> settings = new HashMap<>();
            settings.put("SANDBOX_URL", sandbox.url().toString());
            settings.put("DATABASE_URL", url.toString());
            try (ServerProcess before =
                    ServerProcess.start(folder.resolve("before"), settings, PREVIOUS)) {
                try (Database database = Databases.postgresql(url)) {
                    migrateToNext(database);
                }
                try (TestServer _ = TestServer.start(folder.resolve("next"), url, sandbox.url())) {
                    assertWorks(before, sandbox);
                }
            }
            try (ServerProcess restarted =
                    ServerProcess.start(folder.resolve("before"), settings, PREVIOUS)) {
                assertWorks(restarted, sandbox);
            }
        }
    }

    private static void migrateToNext(Database database) {
        List<String> next = new ArrayList<>(Migrations.ALL);
        next.add("test-expand");
        new Migrations(next).apply(database);
    }

    private static void assertWorks(ServerProcess server, ScriptedSandbox sandbox)
            throws Exception {
        try (Events events = server.turn("hello")) {
            sandbox.next().answers("hi");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
        assertThat(server.send("GET", "/api/assistant/chats", "").body()).contains("hello");
        assertThat(server.send("GET", "/readyz", "").statusCode()).isEqualTo(200);
    }
}
