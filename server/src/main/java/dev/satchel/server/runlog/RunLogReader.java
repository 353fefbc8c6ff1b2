package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import java.time.Duration;
import java.util.List;

/** One reader of one run's log, wherever the run is. For one thread; whoever opens it closes it. */
public final class RunLogReader implements AutoCloseable {
    private final RunLog log;
    private final RunId run;
    private final RunLogNotifier bells;
    private final RunLogNotifier.Bell bell;
    private long heard;

    RunLogReader(RunLog log, RunId run, RunLogNotifier bells) {
        this.log = log;
        this.run = run;
        this.bells = bells;
        this.bell = bells.take(run);
    }

    /** What stands after a number; nothing when that is all for now. */
    public List<RunLogLine> read(long after) {
        heard = bell.rings(); // before the look, so that what comes during it rings again
        return log.read(run, after);
    }

    /** Waits for more than the last look found; may return for nothing, so look again. */
    public void await(long after, Duration limit) throws InterruptedException {
        log.await(run, after, bell, heard, limit);
    }

    @Override
    public void close() {
        bells.giveBack(run);
    }
}
