package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections to PostgreSQL stay open but transfer nothing, as after a lost route. */
@Timeout(120)
class SilentDatabaseTest {
    private static final String WAITING =
            """
            SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'
            """;

    /** The log writes when its connection becomes silent; the server would wait for ever. */
    @Test
    void aRunAndNewTurnsContinueOnNewConnections(@TempDir Path data) throws Exception {
        URI url = TestDatabases.freshPostgresql();
        try (DatabaseProxy proxy = new DatabaseProxy(url);
                ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(data, shortTimeout(proxy), sandbox.url());
                Database locking = Databases.postgresql(url);
                Database observing = Databases.postgresql(url);
                Events events = server.turn(Map.of("message", "hello"))) {
            events.next();
            RunOnStage run = sandbox.next();
            locking.change(
                    tx -> {
                        tx.update("LOCK TABLE run_line IN ACCESS EXCLUSIVE MODE").execute();
                        run.stepStarts("s1", "work");
                        awaitWaiting(observing);
                        proxy.silenceOpenConnections();
                    });
            run.stepSucceeds("s1", "work").answers("still here");

            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
            try (Events next = server.turn(Map.of("message", "again"))) {
                assertThat(next.status()).isEqualTo(200);
                sandbox.next().answers("fine");
                assertThat(next.rest().getLast().data().get("status").stringValue())
                        .isEqualTo("succeeded");
            }
        }
    }

    private static URI shortTimeout(DatabaseProxy proxy) {
        return URI.create(proxy.url() + "?socketTimeout=4");
    }

    private static void awaitWaiting(Database observing) {
        while (observing.read(tx -> tx.query(WAITING).mapTo(Long.class).one()) == 0) {
            assertThat(Thread.currentThread().isInterrupted()).as("time is up").isFalse();
        }
    }
}
