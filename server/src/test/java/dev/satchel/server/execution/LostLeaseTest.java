package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a server may end the runs of another, and when it may not. */
@Timeout(120)
class LostLeaseTest {
    private static final Duration MORE_THAN_A_LEASE = Duration.ofSeconds(31);
    private static final Duration MORE_THAN_A_RENEWAL = Duration.ofSeconds(11);

    /** The steps of a run cannot be stored, but its end can. The sequence is not rolled back. */
    private static final List<String> NO_STEPS =
            List.of(
                    "CREATE SEQUENCE attempts",
                    """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'no steps %', nextval('attempts'); END $$
                    """,
                    """
                    CREATE TRIGGER refuse BEFORE INSERT ON run_line
                       FOR EACH ROW WHEN (NEW.type = 'step') EXECUTE FUNCTION refuse()
                    """);

    private static final String ATTEMPTED = "SELECT is_called FROM attempts";

    private final URI url = TestDatabases.freshPostgresql();
    private final MovableClock clockOfA = new MovableClock();
    private final MovableClock clockOfB = new MovableClock();

    @Test
    void aServerWhoseLogMakesNoProgressLosesItsRuns() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer a = start(url, sandbox, clockOfA);
                TestServer b = start(url, sandbox, clockOfB);
                Database database = Databases.postgresql(url);
                Events events = a.turn(Map.of("message", "hello"))) {
            String run = events.next().orElseThrow().data().get("runId").stringValue();
            b.sweep(); // its first contact
            clockOfB.advance(MORE_THAN_A_RENEWAL.dividedBy(2));
            b.sweep();
            clockOfB.advance(MORE_THAN_A_RENEWAL.dividedBy(2));
            database.change(tx -> NO_STEPS.forEach(sql -> tx.update(sql).execute()));
            sandbox.next().stepStarts("s1", "work");
            while (!database.read(tx -> tx.query(ATTEMPTED).mapTo(Boolean.class).one())) {
                assertThat(Thread.currentThread().isInterrupted()).as("time is up").isFalse();
            }
            clockOfA.advance(MORE_THAN_A_LEASE);

            assertThat(a.get("/readyz").body()).contains("\"runLog\":\"down\"");
            a.sweep();
            b.sweep();
            assertThat(statusOf(b, run)).isEqualTo("interrupted");
        }
    }

    @Test
    void afterAnOutageOfTheDatabaseRunsContinue() throws Exception {
        try (DatabaseProxy proxy = new DatabaseProxy(url);
                ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer a = start(proxy.url(), sandbox, clockOfA);
                TestServer b = start(url, sandbox, clockOfB);
                Database database = Databases.postgresql(url);
                Events events = a.turn(Map.of("message", "hello"))) {
            String id = events.next().orElseThrow().data().get("runId").stringValue();
            RunOnStage run = sandbox.next();
            b.sweep();

            proxy.cut(); // A comes back later than B
            database.change(tx -> tx.update("UPDATE run SET lease_until = 0").execute());
            clockOfB.advance(MORE_THAN_A_LEASE);
            b.sweep();

            assertThat(statusOf(b, id)).isEqualTo("running");
            proxy.restore();
            a.sweep();
            clockOfB.advance(MORE_THAN_A_RENEWAL);
            b.sweep();
            run.answers("still here");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    @Test
    void aRunWhoseOwnerDoesNotReturnEndsAfterOneRenewal() throws Exception {
        try (DatabaseProxy proxy = new DatabaseProxy(url);
                ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer a = start(proxy.url(), sandbox, clockOfA);
                TestServer b = start(url, sandbox, clockOfB);
                Database database = Databases.postgresql(url);
                Events events = a.turn(Map.of("message", "hello"))) {
            String id = events.next().orElseThrow().data().get("runId").stringValue();
            sandbox.next();
            b.sweep();
            proxy.cut();
            database.change(tx -> tx.update("UPDATE run SET lease_until = 0").execute());
            clockOfB.advance(MORE_THAN_A_RENEWAL.dividedBy(2));
            b.sweep();
            clockOfB.advance(MORE_THAN_A_RENEWAL.dividedBy(2));
            b.sweep();

            assertThat(statusOf(b, id)).isEqualTo("interrupted");
        }
    }

    private static TestServer start(URI database, ScriptedSandbox sandbox, Clock steady)
            throws Exception {
        return TestServer.start(
                TestServer.configuration(
                        Files.createTempDirectory("satchel-test-"), database, sandbox.url()),
                Clock.systemUTC(),
                steady);
    }

    private static String statusOf(TestServer server, String run) throws Exception {
        return server.getJson("/api/runs/" + run).get("status").stringValue();
    }
}
