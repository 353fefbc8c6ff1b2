package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Signals;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.runlog.RunLogStore.NewLines;
import java.time.Duration;
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

    /** How long nobody waits for a signal from another server before looking for himself. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private record Pending(RunLogWriter run, RunLogLine line) {}

    private final Database database;
    private final RunLogStore store;
    private final Signals signals;
    private final RunLogNotifier bells = new RunLogNotifier();
    private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Map<RunId, RunLogTail> feeds = new ConcurrentHashMap<>();
    private final Thread writer;
    private volatile boolean closed;

    public RunLog(Database database, RunLogStore store, Signals signals) {
        this.database = database;
        this.store = store;
        this.signals = signals;
        this.writer = Thread.ofPlatform().name("run-log").start(this::writeLoop);
        onSignal(bells::ring);
    }

    /** Opens the log of a run of this node, whose lines up to {@code committed} are stored. */
    public RunLogWriter open(RunId run, long generation, long committed) {
        feeds.put(run, new RunLogTail(committed));
        return new RunLogWriter(this, run, generation, committed);
    }

    /** What stands after a number: whole pages from the log, or the newest lines from memory. */
    public List<RunLogLine> read(RunId run, long after) {
        RunLogTail feed = feeds.get(run);
        Optional<List<RunLogLine>> newest = feed == null ? Optional.empty() : feed.after(after);
        return newest.orElseGet(() -> database.read(tx -> store.lines(tx, run, after, PAGE)));
    }

    /** Follows a run of this server or another; whoever opens it closes it. */
    public RunLogReader watch(RunId run) {
        return new RunLogReader(this, run, bells);
    }

    void await(RunId run, long after, RunLogNotifier.Bell bell, long heard, Duration limit)
            throws InterruptedException {
        RunLogTail feed = feeds.get(run);
        if (feed != null) {
            feed.await(after, limit);
            return;
        }
        bell.await(heard, limit.compareTo(POLL) < 0 ? limit : POLL);
    }

    /** Told of runs to whose log, or row, another server has written; must be quick. */
    public void onSignal(Consumer<RunId> listener) {
        signals.listen(
                topic -> {
                    if (RunId.isValid(topic)) {
                        listener.accept(new RunId(topic));
                    }
                });
    }

    /** Lets other servers look at the run again. */
    public void signal(RunId run) {
        signals.send(run.value());
    }

    /** Stores lines in the transaction that creates or settles the run. */
    public void write(Transaction tx, RunId run, List<RunLogLine> lines) {
        store.write(tx, run, lines);
    }

    /** Shows lines to readers after the commit of the transaction that stored them. */
    public void published(RunId run, List<RunLogLine> lines) {
        RunLogTail feed = feeds.get(run);
        if (feed != null) {
            feed.publish(lines);
        }
        signal(run);
    }

    /** The run is over: readers still waiting have been rung, later ones read the log. */
    void forget(RunId run) {
        RunLogTail feed = feeds.remove(run);
        if (feed != null) {
            feed.close();
        }
    }

    void enqueue(RunLogWriter run, RunLogLine line) throws InterruptedException {
        queue.put(new Pending(run, line));
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
                queue.drainTo(batch, MAX_BATCH - 1);
                commitWithRetry(byRun(batch));
            } catch (InterruptedException e) {
                // closing: the loop condition decides whether something is left to write
            } finally {
                batch.clear();
            }
        }
    }

    /** Rows are locked in the order of their ids, as by everybody who writes to many. */
    private static Map<RunLogWriter, List<RunLogLine>> byRun(List<Pending> batch) {
        Map<RunLogWriter, List<RunLogLine>> lines =
                new TreeMap<>(Comparator.comparing(run -> run.id().value()));
        for (Pending pending : batch) {
            lines.computeIfAbsent(pending.run(), _ -> new ArrayList<>()).add(pending.line());
        }
        return lines;
    }

    /** A database that is away for a moment costs time, not lines. */
    private void commitWithRetry(Map<RunLogWriter, List<RunLogLine>> batch)
            throws InterruptedException {
        while (true) {
            try {
                commit(batch);
                return;
            } catch (RuntimeException | Error e) { // without this thread every run stands still
                LOG.warn("the log cannot be written, trying again runs={}", batch.size(), e);
                if (closed) {
                    batch.keySet().forEach(RunLogWriter::lost);
                    return;
                }
                Thread.sleep(RETRY);
            }
        }
    }

    private void commit(Map<RunLogWriter, List<RunLogLine>> batch) {
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
                    published(run.id(), written);
                    run.committed(written.getLast().seq());
                });
    }
}
