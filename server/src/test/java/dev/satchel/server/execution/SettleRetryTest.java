package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettleRetryTest {
    /** A sequence is not rolled back, so it counts attempts and not successes. */
    private static final List<String> TWO_FAILURES =
            List.of(
                    "CREATE SEQUENCE attempts",
                    """
                    CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        IF nextval('attempts') <= 2 THEN RAISE EXCEPTION 'away for a moment'; END IF;
                        RETURN NEW;
                    END $$
                    """,
                    """
                    CREATE TRIGGER fail_twice BEFORE INSERT ON message
                       FOR EACH ROW WHEN (NEW.role = 'assistant') EXECUTE FUNCTION fail_twice()
                    """);

    @Test
    void anAnswerSurvivesAShortOutageOfTheDatabase(@TempDir Path data) throws Exception {
        URI url = TestDatabases.freshPostgresql();
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(data, url, sandbox.url());
                Database database = Databases.postgresql(url)) {
            database.change(tx -> TWO_FAILURES.forEach(sql -> tx.update(sql).execute()));
            try (Events events = server.turn(Map.of("message", "hello"))) {
                sandbox.next().answers("worth keeping");

                assertThat(events.rest())
                        .extracting(Event::type)
                        .containsExactly("chat", "result", "end");
            }
            long attempts =
                    database.read(
                            tx ->
                                    tx.query("SELECT last_value FROM attempts")
                                            .mapTo(Long.class)
                                            .one());
            assertThat(attempts).isEqualTo(3);
        }
    }
}
