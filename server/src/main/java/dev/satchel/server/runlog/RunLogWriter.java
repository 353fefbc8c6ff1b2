package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.StaleRunException;
import dev.satchel.server.runlog.RunLogStore.NewLine;
import dev.satchel.server.usage.ModelCallUsage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Writes and numbers the lines of one run, for the thread that executes it. */
public final class RunLogWriter implements AutoCloseable {
    /** A run that is faster than the disk waits, so that its lines do not fill the memory. */
    private static final int MAX_UNCOMMITTED = 1_000;

    private static final int MAX_UNCOMMITTED_CHARACTERS = 4 * 1024 * 1024;

    private final RunLog log;
    private final RunId id;
    private final long generation;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long written;
    private long characters;
    private long journalCharacters;
    private long journalLines;
    private int sinceFlush;
    private long committed;
    private boolean lost;

    RunLogWriter(RunLog log, RunId id, long generation, long committed) {
        this.log = log;
        this.id = id;
        this.generation = generation;
        this.written = committed;
        this.committed = committed;
    }

    /** Counts what the attempts before have written. */
    public void restore(long visibleCharacters, RunLogStore.JournalSize journal) {
        characters = visibleCharacters;
        journalLines = journal.lines();
        journalCharacters = journal.characters();
    }

    public RunId id() {
        return id;
    }

    long generation() {
        return generation;
    }

    /** Whether a line of this length fits into the limits of the log. */
    public boolean hasRoomFor(long length) {
        RunLogLimits limits = log.limits();
        return characters + length <= limits.characters()
                && written - journalLines < limits.lines();
    }

    /** Whether a line of the journal fits into its own limits. */
    public boolean hasRoomForJournal(long length) {
        RunLogLimits limits = log.limits();
        return journalCharacters + length <= limits.journalCharacters()
                && journalLines < limits.lines();
    }

    /** How many lines of the journal there are, with those of the attempts before. */
    public long journalLines() {
        return journalLines;
    }

    /** Queues a line that only the runner understands. */
    public void appendJournal(String body) throws InterruptedException {
        journalCharacters += body.length();
        enqueue(RunLogLine.JOURNAL, body, null, null);
        journalLines++;
    }

    /** Queues a line; it becomes visible when it is durable. */
    public void append(String type, String body) throws InterruptedException {
        append(type, body, null);
    }

    /** Queues a line of which values were cut, with the whole line for the trace. */
    public void append(String type, String body, @Nullable String whole)
            throws InterruptedException {
        append(type, body, whole, null);
    }

    /** Queues a line; the call that it reports is stored with it, in the same transaction. */
    public void append(
            String type, String body, @Nullable String whole, @Nullable ModelCallUsage call)
            throws InterruptedException {
        characters += length(body, whole);
        enqueue(type, body, whole, call);
    }

    private static int length(String body, @Nullable String whole) {
        return body.length() + (whole == null ? 0 : whole.length());
    }

    private void enqueue(
            String type, String body, @Nullable String whole, @Nullable ModelCallUsage call)
            throws InterruptedException {
        int length = length(body, whole);
        sinceFlush += length;
        if (sinceFlush > MAX_UNCOMMITTED_CHARACTERS) {
            flush();
            sinceFlush = length;
        }
        awaitCommitted(MAX_UNCOMMITTED);
        // An interrupt queues nothing, and then the number must not count as written.
        RunLogLine line = new RunLogLine(written + 1, type, body, whole != null);
        log.enqueue(this, new NewLine(line, whole, call));
        written++;
    }

    /** Waits until every line is durable. */
    public void flush() throws InterruptedException {
        awaitCommitted(0);
    }

    /** Drops the lines in memory; the log stays readable. */
    @Override
    public void close() {
        log.drop(id);
    }

    void committed(long seq) {
        lock.lock();
        try {
            committed = seq;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void lost() {
        lock.lock();
        try {
            lost = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitCommitted(int lag) throws InterruptedException {
        lock.lock();
        try {
            while (!lost && written - committed > lag) {
                changed.await();
            }
            if (lost) {
                throw new StaleRunException(id);
            }
        } finally {
            lock.unlock();
        }
    }
}
