package dev.satchel.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
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
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A call counts once, also if its line or the end of its run is stored again. */
@Timeout(120)
class RepeatedUsageTest {
    private static final Duration HALF_A_RENEWAL = Duration.ofSeconds(6);

    private final URI url = TestDatabases.freshPostgresql();
    private final MovableClock clockOfA = new MovableClock();
    private final MovableClock clockOfB = new MovableClock();

    /** A sequence is not rolled back, so it counts attempts and not successes. */
    private static List<String> twoFailures(String table, String condition) {
        return List.of(
                "CREATE SEQUENCE attempts",
                """
                CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('attempts') <= 2 THEN RAISE EXCEPTION 'away for a moment'; END IF;
                    RETURN NEW;
                END $$
                """,
                "CREATE TRIGGER fail_twice BEFORE INSERT ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION fail_twice()"
                        .formatted(table, condition));
    }

    @Test
    void linesThatAreStoredAgainCountOnce(@TempDir Path data) throws Exception {
        countsOnceWith(data, twoFailures("run_line", "NEW.type = 'usage'"));
    }

    @Test
    void anEndThatIsStoredAgainCountsOnce(@TempDir Path data) throws Exception {
        countsOnceWith(data, twoFailures("message", "NEW.role = 'assistant'"));
    }

    private void countsOnceWith(Path data, List<String> failures) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(data, url, sandbox.url());
                Database database = Databases.postgresql(url);
                Events events = server.turn(Map.of("message", "hello"))) {
            String chat = events.next().orElseThrow().data().get("chatId").stringValue();
            database.change(tx -> failures.forEach(sql -> tx.update(sql).execute()));
            sandbox.next().say(usage(100)).say(usage(20)).answers("done");
            List<JsonNode> rest = events.rest().stream().map(Events.Event::data).toList();
            JsonNode result = rest.get(rest.size() - 2);

            assertThat(attempts(database)).isGreaterThan(2);
            assertThat(result.at("/usage/inputTokens").longValue()).isEqualTo(120);
            assertTotals(server, database, chat, 2, 120);
        }
    }

    /** The first server has stored two calls and does not know that its run has ended. */
    @Test
    void aServerThatLostItsRunAddsNothing(@TempDir Path dataOfA, @TempDir Path dataOfB)
            throws Exception {
        try (DatabaseProxy proxy = new DatabaseProxy(url);
                ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer a =
                        TestServer.start(
                                TestServer.configuration(dataOfA, proxy.url(), sandbox.url()),
                                Clock.systemUTC(),
                                clockOfA);
                TestServer b =
                        TestServer.start(
                                TestServer.configuration(dataOfB, url, sandbox.url()),
                                Clock.systemUTC(),
                                clockOfB);
                Database database = Databases.postgresql(url);
                Events events = a.turn(Map.of("message", "hello"))) {
            JsonNode begun = events.next().orElseThrow().data();
            String chat = begun.get("chatId").stringValue();
            String id = begun.get("runId").stringValue();
            RunOnStage run = sandbox.next().say(usage(100)).say(usage(20));
            assertThat(events.next().orElseThrow().type()).isEqualTo("usage");
            assertThat(events.next().orElseThrow().type()).isEqualTo("usage");
            b.sweep(); // its first contact
            proxy.cut();
            run.say(usage(3)); // not stored
            database.change(tx -> tx.update("UPDATE run SET lease_until = 0").execute());
            for (int i = 0; i < 2; i++) {
                clockOfB.advance(HALF_A_RENEWAL);
                b.sweep();
            }
            assertThat(b.getJson("/api/runs/" + id).get("status").stringValue())
                    .isEqualTo("interrupted");
            assertTotals(b, database, chat, 2, 120);

            proxy.restore();
            run.say(usage(4)).answers("too late");
            a.sweep();
            b.sweep();
            assertTotals(b, database, chat, 2, 120);
        }
    }

    private static void assertTotals(
            TestServer server, Database database, String chat, long calls, long input)
            throws Exception {
        List<Long> rows =
                database.read(
                        tx ->
                                tx.query("SELECT input_tokens FROM model_usage")
                                        .mapTo(Long.class)
                                        .list());
        assertThat(rows).hasSize((int) calls);
        assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(input);
        JsonNode ofChat = server.getJson("/api/assistant/chats/" + chat).get("usage");
        JsonNode total = server.getJson("/api/usage").get("total");
        for (JsonNode sum : List.of(ofChat, total)) {
            assertThat(sum.get("calls").longValue()).isEqualTo(calls);
            assertThat(sum.get("inputTokens").longValue()).isEqualTo(input);
        }
    }

    private static long attempts(Database database) {
        return database.read(
                tx -> tx.query("SELECT last_value FROM attempts").mapTo(Long.class).one());
    }

    private static String usage(long input) {
        return Json.MAPPER.writeValueAsString(
                Map.of(
                        "type",
                        "usage",
                        "model",
                        "m",
                        "provider",
                        "p",
                        "inputTokens",
                        input,
                        "outputTokens",
                        1,
                        "cacheReadTokens",
                        0,
                        "cacheWriteTokens",
                        0));
    }
}
