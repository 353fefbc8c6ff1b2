package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A server process is killed with SIGKILL while a run waits for a place; the next one starts it.
 */
class WaitingRunAfterCrashTest extends KilledServerFixture {
    @Test
    void onSqliteItStartsAfterTheRestart() throws Exception {
        String run = killedWhileItWaits(null);

        try (TestServer server = TestServer.start(data, null, sandbox.url())) {
            assertStarts(server, run);
        }
    }

    @Test
    void onPostgresqlAnotherServerStartsIt() throws Exception {
        URI database = TestDatabases.freshPostgresql();
        String run = killedWhileItWaits(database);
        try (Database open = Databases.postgresql(database)) {
            open.change(
                    tx ->
                            tx.update("UPDATE run SET lease_until = 0 WHERE waits_for IS NULL")
                                    .execute());
        }
        Path other = Files.createTempDirectory("satchel-test-");

        try (TestServer server = TestServer.start(other, database, sandbox.url())) {
            assertStarts(server, run);
        }
    }

    private String killedWhileItWaits(@Nullable URI database) throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("SANDBOX_URL", sandbox.url().toString());
        settings.put("SATCHEL_MAX_RUNS", "1");
        if (database != null) {
            settings.put("DATABASE_URL", database.toString());
        }
        try (ServerProcess victim = ServerProcess.start(data, settings);
                Events first = victim.turn("first")) {
            assertThat(first.next()).isPresent();
            sandbox.next();
            try (Events second = victim.turn("second")) {
                String run = second.next().orElseThrow().data().get("runId").stringValue();
                assertThat(second.next().orElseThrow().type()).isEqualTo("queued");
                victim.kill();
                return run;
            }
        }
    }

    private void assertStarts(TestServer server, String run) throws Exception {
        try (Events events =
                server.events(server.request("/api/runs/" + run + "/events").build())) {
            var started = sandbox.next();
            assertThat(started.dispatch().prompt()).isEqualTo("second");
            started.answers("done");
            List<Event> all = events.rest();

            assertThat(all)
                    .extracting(Event::type)
                    .containsExactly("chat", "queued", "queued", "result", "end");
        }
        server.sweep();
        assertThat(sandbox.nothingDispatched()).isTrue();
    }
}
