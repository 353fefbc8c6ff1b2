package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run is cancelled while one of its statements waits in PostgreSQL. */
@Timeout(180)
class CancelDuringStatementTest {
    private static final String WAITING =
            """
            SELECT pid FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'
            """;

    private static final String ALIVE = "SELECT count(*) FROM pg_stat_activity WHERE pid = :pid";

    private long pid;

    @Test
    void theRunIsCancelledAndTheConnectionStaysUsable(@TempDir Path data) throws Exception {
        URI url = TestDatabases.freshPostgresql();
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(data, url, sandbox.url());
                Database locking = Databases.postgresql(url);
                Database observing = Databases.postgresql(url)) {
            Events events = locking.write(tx -> cancelWhileLocked(tx, server, observing));

            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("cancelled");
            assertThat(count(observing)).as("open connections that waited").isEqualTo(1);
            events.close();
        }
    }

    /** The preparation of the workspace reads one of these tables. */
    private Events cancelWhileLocked(Transaction tx, TestServer server, Database observing) {
        tx.update("LOCK TABLE snapshot, workspace_copy IN ACCESS EXCLUSIVE MODE").execute();
        try {
            Events events = server.turn(Map.of("message", "hello"));
            String run = events.next().orElseThrow().data().get("runId").stringValue();
            pid = awaitWaiting(observing);
            assertThat(server.post("/api/runs/" + run + "/cancel", Map.of()).statusCode())
                    .isEqualTo(202);
            return events;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long awaitWaiting(Database observing) {
        Optional<Long> found = Optional.empty();
        while (found.isEmpty()) {
            List<Long> waiting = observing.read(tx -> tx.query(WAITING).mapTo(Long.class).list());
            found = waiting.stream().findFirst();
            assertThat(Thread.currentThread().isInterrupted()).as("time is up").isFalse();
        }
        return found.get();
    }

    private long count(Database observing) {
        return observing.read(tx -> tx.query(ALIVE).bind("pid", pid).mapTo(Long.class).one());
    }
}
