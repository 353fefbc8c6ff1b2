package dev.satchel.bench.node;

import dev.satchel.bench.report.Samples;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Signals;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogLimits;
import dev.satchel.server.runlog.RunLogStore;
import dev.satchel.server.runlog.RunLogWriter;
import dev.satchel.server.usage.ModelUsageStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Runs that only write lines, through the log of a server and with its signals. */
final class LoggedRuns implements AutoCloseable {
    /** As long as a step of an agent usually is. */
    private static final String LINE =
            "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"sh\",\"status\":\"running\",\"args\":{\"command\":\""
                    + "grep -rn total reports/ ".repeat(6)
                    + "\"},\"ts\":1}";

    private final Database database;
    private final RunStore store = new RunStore();
    private final RunConversationStore conversations =
            new RunConversationStore(new ConversationStore());
    private final Signals signals;
    private final RunLog log;

    LoggedRuns(Database database) {
        this.database = database;
        this.signals = database.openSignals();
        this.log =
                new RunLog(
                        database,
                        new RunLogStore(store, new ModelUsageStore(), new QueueStore()),
                        signals,
                        RunLogLimits.standard(),
                        Clock.systemUTC());
        // the tenant comes with its key
        new ApiKeys(database, new AccessStore(), Clock.systemUTC())
                .acceptConfigured(new CallerSecret("sk_bench_key"));
    }

    /** The median time of a line that waits for nothing but its commit, in milliseconds. */
    double oneByOne(int lines) throws InterruptedException {
        Samples samples = new Samples();
        try (RunLogWriter run = open()) {
            for (int i = 0; i < lines; i++) {
                long start = System.nanoTime();
                run.append("step", LINE);
                run.flush();
                samples.add(System.nanoTime() - start);
            }
        }
        return samples.medianMillis();
    }

    /** Lines per second of many runs that write as fast as they can. */
    double atOnce(int runs, int linesOfEach) throws InterruptedException {
        List<RunLogWriter> open = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            open.add(open());
        }
        long start = System.nanoTime();
        List<Thread> writers =
                open.stream()
                        .map(run -> Thread.ofVirtual().start(() -> write(run, linesOfEach)))
                        .toList();
        for (Thread writer : writers) {
            writer.join();
        }
        return runs * linesOfEach / ((System.nanoTime() - start) / 1e9);
    }

    @Override
    public void close() {
        log.close();
        signals.close();
    }

    private static void write(RunLogWriter run, int lines) {
        try (run) {
            for (int i = 0; i < lines; i++) {
                run.append("step", LINE);
            }
            run.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private RunLogWriter open() {
        long now = System.currentTimeMillis();
        RunId id = RunId.random();
        Run run =
                new Run(
                        id,
                        TenantId.DEFAULT,
                        RunConversationStore.idOf(id),
                        null,
                        null,
                        1,
                        "",
                        RunSetup.plain(),
                        RunStatus.RUNNING,
                        new ServerProcessId("bench"),
                        now + 3_600_000,
                        0,
                        now,
                        null);
        database.change(
                tx -> {
                    conversations.create(tx, Caller.owner(TenantId.DEFAULT), id, now);
                    store.insert(tx, run);
                });
        return log.open(id, 1, 0);
    }
}
