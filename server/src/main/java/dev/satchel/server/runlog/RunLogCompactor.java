package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunStore.EndedRun;
import dev.satchel.server.run.RunStore.LogState;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the logs of ended runs smaller. The journal is deleted, lines with pieces of text (of the
 * answer, of thoughts, of the output of a step) are merged, and after some time the messages that
 * only the trace shows are deleted. Readers receive the same text from any number on.
 */
public final class RunLogCompactor {
    private static final Logger LOG = LoggerFactory.getLogger(RunLogCompactor.class);
    private static final int PAGE = 1_000;

    /** Clients that lost the connection have read the end by then. */
    private static final Duration MIN_AGE = Duration.ofHours(1);

    private final Database database;
    private final RunStore runs;
    private final RunLogStore store;
    private final Duration traceAge;
    private final Clock clock;

    /** With a {@code traceAge} of zero traces stay as long as their runs. */
    public RunLogCompactor(
            Database database, RunStore runs, RunLogStore store, Duration traceAge, Clock clock) {
        this.database = database;
        this.runs = runs;
        this.store = store;
        this.traceAge = traceAge;
        this.clock = clock;
    }

    public void sweep() {
        forEach(LogState.AS_WRITTEN, MIN_AGE, this::merge);
        if (!traceAge.isZero()) {
            forEach(LogState.MERGED, traceAge, this::dropTrace);
        }
    }

    private void forEach(LogState state, Duration age, Consumer<RunId> work) {
        long before = clock.millis() - age.toMillis();
        List<EndedRun> page = page(state, before, Optional.empty());
        while (!page.isEmpty() && !Thread.currentThread().isInterrupted()) {
            page.forEach(run -> attempt(run.id(), work));
            page = page(state, before, Optional.of(page.getLast()));
        }
    }

    private List<EndedRun> page(LogState state, long before, Optional<EndedRun> after) {
        return database.read(tx -> runs.ended(tx, state, before, after));
    }

    /** A run whose log cannot be read does not stop the sweep. */
    private static void attempt(RunId run, Consumer<RunId> work) {
        try {
            work.accept(run);
        } catch (RuntimeException e) {
            LOG.warn("the log of a run stays as it is runId={}", run.value(), e);
        }
    }

    private void merge(RunId run) {
        database.change(tx -> store.dropJournal(tx, run));
        List<RunLogLine> pieces = database.read(tx -> store.pieces(tx, run, 0, PAGE));
        while (!pieces.isEmpty()) {
            List<MergedDelta> merged = MergedDelta.merge(pieces);
            database.change(tx -> merged.forEach(line -> store.merge(tx, run, line)));
            long last = pieces.getLast().seq();
            pieces = database.read(tx -> store.pieces(tx, run, last, PAGE));
        }
        database.change(tx -> runs.setLogState(tx, run, LogState.MERGED));
    }

    private void dropTrace(RunId run) {
        database.change(
                tx -> {
                    store.dropTrace(tx, run);
                    runs.setLogState(tx, run, LogState.WITHOUT_TRACE);
                });
    }
}
