package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import java.time.Duration;
import java.util.List;

/** Reads the log of one run, on any server. For one thread, which closes it. */
public final class RunLogReader implements AutoCloseable {
    private final RunLog log;
    private final RunId run;
    private final RunLogNotifier notifier;
    private final RunLogNotifier.Notifications notifications;
    private long seen;

    RunLogReader(RunLog log, RunId run, RunLogNotifier notifier) {
        this.log = log;
        this.run = run;
        this.notifier = notifier;
        this.notifications = notifier.subscribe(run);
    }

    /** The lines after a number; none when there are no more yet. */
    public List<RunLogLine> read(long after) {
        seen = notifications.count(); // before reading, so that no later notification is missed
        return log.read(run, after);
    }

    /** Waits for more lines than the last read returned; may return early, so read again. */
    public void await(long after, Duration limit) throws InterruptedException {
        log.await(run, after, notifications, seen, limit);
    }

    @Override
    public void close() {
        notifier.unsubscribe(run);
    }
}
