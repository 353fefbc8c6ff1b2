package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.database.Signals;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.runlog.RunLogStore.NewLine;
import dev.satchel.server.runlog.RunLogStore.NewLines;
import dev.satchel.server.usage.UsageSum;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable log of all runs. Lines queue; one writer commits what has queued, and only then are
 * they visible, so a thousand streams cost a few hundred commits a second. Every stream is a view
 * of this log.
 */
public final class RunLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);
    private static final int MAX_BATCH = 512;
    private static final int QUEUE = 8_192;
    private static final int PAGE = 500;
    private static final Duration RETRY = Duration.ofMillis(250);

    /** How long a reader waits for a signal of another server before it reads the log again. */
    private static final Duration POLL = Duration.ofSeconds(1);

    /** A line, and how much of the room it takes until it is committed. */
    private record Pending(RunLogWriter run, NewLine line, int size) {}

    private final Database database;
    private final RunLogStore store;
    private final Signals signals;
    private final RunLogNotifier notifier = new RunLogNotifier();
    private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Map<RunId, RunLogTail> tails = new ConcurrentHashMap<>();
    private final RunLogLimits limits;
    private final Semaphore room; // characters; fair, so that a long line is not passed over
    private final InstantSource clock;
    private final Thread writer;

    /** When the batch was taken that is not committed yet; 0 when there is none. */
    private volatile long batchSince;

    private volatile boolean closed;

    /** The clock measures durations; nothing sets it back. */
    public RunLog(
            Database database,
            RunLogStore store,
            Signals signals,
            RunLogLimits limits,
            InstantSource clock) {
        this.database = database;
        this.store = store;
        this.signals = signals;
        this.limits = limits;
        this.room = new Semaphore(limits.queuedCharacters(), true);
        this.clock = clock;
        this.writer = Thread.ofPlatform().name("run-log").start(this::writeLoop);
        onSignal(notifier::notifyReaders);
    }

    public RunLogLimits limits() {
        return limits;
    }

    /** Opens the log of a run of this node, whose lines up to {@code committed} are stored. */
    public RunLogWriter open(RunId run, long generation, long committed) {
        tails.put(run, new RunLogTail(committed));
        return new RunLogWriter(this, run, generation, committed);
    }

    /** The lines after a number: a page from the database, or the newest lines from memory. */
    public List<RunLogLine> read(RunId run, long after) {
        RunLogTail tail = tails.get(run);
        Optional<List<RunLogLine>> newest = tail == null ? Optional.empty() : tail.after(after);
        return newest.orElseGet(() -> database.read(tx -> store.lines(tx, run, after, PAGE)));
    }

    /** A line as the trace has it, before values of it were cut for streams. */
    public String whole(RunId run, RunLogLine line) {
        return line.cut()
                ? database.read(tx -> store.whole(tx, run, line.seq())).orElse(line.body())
                : line.body();
    }

    /** The lines and characters of the journal of a run. */
    public RunLogStore.JournalSize journalSize(Transaction tx, RunId run) {
        return store.journalSize(tx, run);
    }

    /** The number of the last line of the journal of a run; 0 without one. */
    public long lastJournalLine(Transaction tx, RunId run) {
        return store.lastJournalLine(tx, run);
    }

    /** A page of the journal of a run, after so many lines, as JSON; empty at its end. */
    public List<String> journal(RunId run, long after) {
        return database.read(tx -> store.journal(tx, run, after));
    }

    /** The types of the lines that the log of a run has after its journal. */
    public List<String> typesAfterJournal(RunId run) {
        return database.read(tx -> store.typesAfterJournal(tx, run));
    }

    /** A reader for a run of this server or another; the caller closes it. */
    public RunLogReader watch(RunId run) {
        return new RunLogReader(this, run, notifier);
    }

    void await(
            RunId run,
            long after,
            RunLogNotifier.Notifications notifications,
            long seen,
            Duration limit)
            throws InterruptedException {
        RunLogTail tail = tails.get(run);
        if (tail != null) {
            tail.await(after, limit);
            return;
        }
        notifications.await(seen, limit.compareTo(POLL) < 0 ? limit : POLL);
    }

    /** Calls the listener for a run whose log or row another server has changed. */
    public void onSignal(Consumer<RunId> listener) {
        signals.listen(
                topic -> {
                    if (RunId.isValid(topic)) {
                        listener.accept(new RunId(topic));
                    }
                });
    }

    /** Makes the readers of this server and of others read the run again. */
    public void signal(RunId run) {
        notifier.notifyReaders(run);
        signals.send(run.value());
    }

    /** Stores lines in the transaction that creates or settles the run. */
    public void write(Transaction tx, RunId run, List<RunLogLine> lines) {
        store.write(tx, run, lines);
    }

    /** The tokens and the cost of a run, as far as its lines are stored. */
    public UsageSum usage(Transaction tx, RunId run) {
        return store.usage(tx, run);
    }

    /** Shows lines to readers after the commit of the transaction that stored them. */
    public void published(RunId run, List<RunLogLine> lines) {
        RunLogTail tail = tails.get(run);
        if (tail != null) {
            tail.publish(lines);
        }
        signal(run);
    }

    /** Drops the lines in memory of a run that has ended; readers continue from the database. */
    void drop(RunId run) {
        RunLogTail tail = tails.remove(run);
        if (tail != null) {
            tail.close();
        }
    }

    /** Of the lines that wait for their commit. */
    int queuedCharacters() {
        return limits.queuedCharacters() - room.availablePermits();
    }

    /** How long the oldest lines wait for their commit; zero when none do. */
    public Duration stalledFor() {
        long since = batchSince;
        return since == 0 ? Duration.ZERO : Duration.ofMillis(clock.millis() - since);
    }

    /** Waits while the lines of all runs fill their room, so that sandboxes are read slower. */
    void enqueue(RunLogWriter run, NewLine line) throws InterruptedException {
        int size = Math.min(line.length(), limits.queuedCharacters());
        room.acquire(size);
        try {
            queue.put(new Pending(run, line, size));
        } catch (InterruptedException e) {
            room.release(size);
            throw e;
        }
    }

    @Override
    public void close() {
        closed = true;
        writer.interrupt();
        try {
            writer.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeLoop() {
        List<Pending> batch = new ArrayList<>(MAX_BATCH);
        while (!closed || !queue.isEmpty()) {
            try {
                batch.add(queue.take());
                batchSince = clock.millis();
                queue.drainTo(batch, MAX_BATCH - 1);
                commitWithRetry(byRun(batch));
            } catch (InterruptedException e) {
                // closing: the loop ends when the queue is empty
            } finally {
                room.release(batch.stream().mapToInt(Pending::size).sum());
                batch.clear();
                batchSince = 0;
            }
        }
    }

    /** In the order of ids, as all transactions lock the rows of many runs. */
    private static Map<RunLogWriter, List<NewLine>> byRun(List<Pending> batch) {
        Map<RunLogWriter, List<NewLine>> lines =
                new TreeMap<>(Comparator.comparing(run -> run.id().value()));
        for (Pending pending : batch) {
            lines.computeIfAbsent(pending.run(), _ -> new ArrayList<>()).add(pending.line());
        }
        return lines;
    }

    /** Retries until the database is available again, so that no line is lost. */
    private void commitWithRetry(Map<RunLogWriter, List<NewLine>> batch)
            throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                commit(batch);
                return;
            } catch (RuntimeException | Error e) { // every run depends on this thread
                warn(e, attempt, batch.size());
                if (closed) {
                    batch.keySet().forEach(RunLogWriter::lost);
                    return;
                }
                Thread.sleep(RETRY);
            }
        }
    }

    /** One line for an outage, however long it lasts. */
    private static void warn(Throwable failure, int attempt, int runs) {
        if (DatabaseOutage.of(failure).isEmpty()) {
            LOG.warn("the log cannot be written, trying again runs={}", runs, failure);
        } else if (attempt == 1) {
            LOG.debug(
                    "the log waits for the database runs={} reason={}",
                    runs,
                    DatabaseOutage.reason(failure));
        }
    }

    private void commit(Map<RunLogWriter, List<NewLine>> batch) {
        List<NewLines> lines =
                batch.entrySet().stream()
                        .map(
                                e ->
                                        new NewLines(
                                                e.getKey().id(),
                                                e.getKey().generation(),
                                                e.getValue()))
                        .toList();
        Set<RunId> stale =
                database.write(tx -> store.append(tx, lines)).stream()
                        .map(NewLines::run)
                        .collect(Collectors.toSet());
        batch.forEach(
                (run, written) -> {
                    if (stale.contains(run.id())) {
                        run.lost();
                        return;
                    }
                    published(run.id(), written.stream().map(NewLine::published).toList());
                    run.committed(written.getLast().line().seq());
                });
    }
}
