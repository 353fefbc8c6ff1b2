package dev.satchel.server.runlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Signals;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.run.StaleRunException;
import dev.satchel.server.usage.ModelUsageStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunLogTest {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private final RunStore store = new RunStore();
    private final RunLogStore logStore =
            new RunLogStore(store, new ModelUsageStore(), new QueueStore());

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void linesOfManyRunsAreNumberedWithoutGapsAndDurableAfterAFlush(Dialect dialect)
            throws Exception {
        try (Database database = databaseWithTenant(dialect);
                RunLog log =
                        new RunLog(
                                database,
                                logStore,
                                Signals.NONE,
                                RunLogLimits.standard(),
                                Clock.systemUTC())) {
            List<Thread> writers = new ArrayList<>();
            List<RunId> runs = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RunId run = newRun(database, 1);
                runs.add(run);
                writers.add(Thread.startVirtualThread(() -> write(log, run, 100)));
            }
            for (Thread writer : writers) {
                writer.join();
            }
            for (RunId run : runs) {
                List<RunLogLine> lines = database.read(tx -> logStore.lines(tx, run, 0, 1000));
                assertThat(lines).extracting(RunLogLine::seq).hasSize(100).isSorted();
                assertThat(lines.getFirst().seq()).isEqualTo(1);
                assertThat(lines.getLast().seq()).isEqualTo(100);
            }
        }
    }

    /** While the database does not commit, the lines of all runs together fill their room. */
    @Test
    void aRunWaitsWhileTheLinesOfOthersFillTheMemory() throws Exception {
        RunLogLimits limits = new RunLogLimits(10_000, 1_000, 10_000, 10_000, 10_000, 100);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        try (Database database = databaseWithTenant(Dialect.SQLITE);
                RunLog log =
                        new RunLog(database, logStore, Signals.NONE, limits, Clock.systemUTC())) {
            RunId first = newRun(database, 1);
            RunId second = newRun(database, 1);
            Thread writer = Thread.startVirtualThread(() -> hold(database, locked, free));
            locked.await();
            RunLogWriter filling = log.open(first, 1, 0);
            filling.append("log", "x".repeat(90));

            Thread waiting = Thread.startVirtualThread(() -> write(log, second, 10));
            while (waiting.getState() != Thread.State.WAITING && waiting.isAlive()) {
                Thread.onSpinWait();
            }
            assertThat(log.queuedCharacters()).isLessThanOrEqualTo(100);
            assertThat(waiting.isAlive()).isTrue();

            free.countDown();
            writer.join();
            waiting.join();
            filling.flush();
            List<RunLogLine> stored = database.read(tx -> logStore.lines(tx, second, 0, 100));
            assertThat(stored).hasSize(10);
            while (log.queuedCharacters() > 0) { // the writer frees the room after the commit
                Thread.onSpinWait();
            }
        }
    }

    private static void hold(Database database, CountDownLatch locked, CountDownLatch free) {
        database.change(
                _ -> {
                    locked.countDown();
                    try {
                        free.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aWriterOfAnOldGenerationIsRefusedAndWritesNothing(Dialect dialect) throws Exception {
        try (Database database = databaseWithTenant(dialect);
                RunLog log =
                        new RunLog(
                                database,
                                logStore,
                                Signals.NONE,
                                RunLogLimits.standard(),
                                Clock.systemUTC())) {
            RunId run = newRun(database, 2);
            RunLogWriter stale = log.open(run, 1, 0);
            stale.append("log", "{}");

            assertThatThrownBy(stale::flush).isInstanceOf(StaleRunException.class);
            List<RunLogLine> stored = database.read(tx -> logStore.lines(tx, run, 0, 10));
            assertThat(stored).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aSettledRunAcceptsNoLinesAndSettlesOnce(Dialect dialect) throws Exception {
        try (Database database = databaseWithTenant(dialect);
                RunLog log =
                        new RunLog(
                                database,
                                logStore,
                                Signals.NONE,
                                RunLogLimits.standard(),
                                Clock.systemUTC())) {
            RunId run = newRun(database, 1);
            RunLogWriter lines = log.open(run, 1, 0);
            boolean first = settle(database, run, RunStatus.INTERRUPTED);
            boolean second = settle(database, run, RunStatus.SUCCEEDED);
            lines.append("log", "{}");

            assertThat(first).isTrue();
            assertThat(second).isFalse();
            assertThatThrownBy(lines::flush).isInstanceOf(StaleRunException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theWholeOfALineThatWasCutIsKeptBesideIt(Dialect dialect) throws Exception {
        try (Database database = databaseWithTenant(dialect);
                RunLog log =
                        new RunLog(
                                database,
                                logStore,
                                Signals.NONE,
                                RunLogLimits.standard(),
                                Clock.systemUTC())) {
            RunId run = newRun(database, 1);
            RunLogWriter lines = log.open(run, 1, 0);
            String whole = "{\"text\":\"" + "x".repeat(4 * 1024 * 1024) + "\"}";
            lines.append("step", "{\"text\":\"x\"}", whole);
            lines.append("step", "{}");
            lines.flush();

            List<RunLogLine> newest = log.read(run, 0);
            List<RunLogLine> stored = database.read(tx -> logStore.lines(tx, run, 0, 10));
            assertThat(newest).isEqualTo(stored);
            assertThat(stored).extracting(RunLogLine::cut).containsExactly(true, false);
            assertThat(log.whole(run, stored.getFirst())).isEqualTo(whole);
            assertThat(log.whole(run, stored.getLast())).isEqualTo("{}");
        }
    }

    @Test
    void aQuietStreamIsKeptAliveByComments() throws Exception {
        try (Database database = databaseWithTenant(Dialect.SQLITE);
                RunLog log =
                        new RunLog(
                                database,
                                logStore,
                                Signals.NONE,
                                RunLogLimits.standard(),
                                Clock.systemUTC());
                RunReaders readers =
                        new RunReaders(
                                database,
                                new RunReaderStore(),
                                new LeaseClock(database, InstantSource.system()))) {
            RunId run = newRun(database, 1);
            RunLogWriter lines = log.open(run, 1, 0);
            RunLogStreamer streamer = new RunLogStreamer(log, readers, Duration.ofMillis(20));
            Router router = new Router().get("/", e -> streamer.stream(e, run, 0));
            try (HttpServer server =
                            HttpServer.start(
                                    "127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
                    HttpClient client = HttpClient.newHttpClient()) {
                var body =
                        client.send(
                                        HttpRequest.newBuilder(
                                                        URI.create(
                                                                "http://127.0.0.1:"
                                                                        + server.port()))
                                                .build(),
                                        BodyHandlers.ofLines())
                                .body()
                                .iterator();
                int pings = 0;
                while (pings < 3) {
                    pings += body.next().equals(": ping") ? 1 : 0;
                }
                lines.append("end", "{\"type\":\"end\"}");
                while (body.hasNext()) {
                    body.next(); // ends with the run
                }
            }
        }
    }

    @Test
    void aSlowReaderReadsFromTheDatabase() throws Exception {
        try (Database database = databaseWithTenant(Dialect.SQLITE);
                RunLog log =
                        new RunLog(
                                database,
                                logStore,
                                Signals.NONE,
                                RunLogLimits.standard(),
                                Clock.systemUTC())) {
            RunId run = newRun(database, 1);
            write(log, run, 2_000); // far more lines than stay in memory

            List<Long> seen = new ArrayList<>();
            for (List<RunLogLine> page = log.read(run, 0); !page.isEmpty(); ) {
                page.forEach(line -> seen.add(line.seq()));
                page = log.read(run, seen.getLast());
            }
            assertThat(seen).hasSize(2_000).isSorted().doesNotHaveDuplicates();
        }
    }

    private static void write(RunLog log, RunId run, int count) {
        RunLogWriter lines = log.open(run, 1, 0);
        try {
            for (int i = 1; i <= count; i++) {
                lines.append("log", "{\"n\":" + i + "}");
            }
            lines.flush();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean settle(Database database, RunId run, RunStatus status) {
        return database.write(tx -> store.settle(tx, run, 1, status, 5).isPresent());
    }

    private static Database databaseWithTenant(Dialect dialect) {
        Database database = TestDatabases.fresh(dialect);
        database.change(
                tx ->
                        tx.update("INSERT INTO tenant (id, created_at) VALUES (:id, 0)")
                                .bind("id", TENANT.value())
                                .execute());
        return database;
    }

    private RunId newRun(Database database, long generation) {
        RunId id = RunId.random();
        Run run =
                new Run(
                        id,
                        TENANT,
                        RunConversationStore.idOf(id),
                        null,
                        null,
                        generation,
                        "prompt",
                        RunSetup.plain(),
                        RunStatus.RUNNING,
                        new ServerProcessId("owner"),
                        Long.MAX_VALUE,
                        0,
                        0,
                        null);
        database.change(
                tx -> {
                    new RunConversationStore(new ConversationStore())
                            .create(tx, Caller.owner(TENANT), id, 0);
                    store.insert(tx, run);
                });
        return id;
    }
}
