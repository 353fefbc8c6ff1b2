package dev.satchel.server.callback;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.InboxContent;
import dev.satchel.protocol.JournalPage;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.RunConfig.JournalLine;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.Continuability;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The journals of runs, for their runners. */
public final class RunJournals {
    /** Shorter than a runner waits for a response. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final Database database;
    private final RunStore runs;
    private final RunLog log;

    public RunJournals(Database database, RunStore runs, RunLog log) {
        this.database = database;
        this.runs = runs;
        this.log = log;
    }

    /** Lines of the journal, after so many. */
    JournalPage page(Run run, long after) {
        List<JournalLine> lines =
                log.journal(run.id(), after).stream()
                        .map(line -> Json.MAPPER.readValue(line, JournalLine.class))
                        .toList();
        boolean more = !lines.isEmpty() && lines.getLast().n() < lastLine(run);
        return new JournalPage(lines, more ? true : null);
    }

    /** The configuration of a run, with its journal if it is continued. */
    RunConfig withJournal(Run run, RunConfig config) {
        return run.attempt() == 1
                ? config
                : config.continued(page(run, 0), log.typesAfterJournal(run.id()));
    }

    /**
     * Waits until the journal is durable up to the line with a number, on any server. A journal
     * that is full has no further lines.
     */
    InboxContent inbox(Run run, long journalLine) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        try (RunLogReader reader = log.watch(run.id())) {
            long position = run.lastSeq();
            while (true) {
                List<RunLogLine> lines = reader.read(position);
                position = lines.isEmpty() ? position : lines.getLast().seq();
                Optional<InboxContent> content = database.read(tx -> inbox(tx, run, journalLine));
                if (content.isPresent()) {
                    return content.get();
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new SatchelException(
                                    ErrorCode.UNAVAILABLE, "the journal is not durable yet")
                            .withHeaders(Map.of("Retry-After", "1"));
                }
                reader.await(position, Duration.ofNanos(left));
            }
        }
    }

    /** Empty when the line is not durable yet. */
    private Optional<InboxContent> inbox(Transaction tx, Run run, long journalLine) {
        Continuability state = runs.continuability(tx, run.id());
        return state.journalFull() || log.lastJournalLine(tx, run.id()) >= journalLine
                ? Optional.of(new InboxContent(List.of(), state.drains() ? true : null))
                : Optional.empty();
    }

    private long lastLine(Run run) {
        return database.read(tx -> log.lastJournalLine(tx, run.id()));
    }
}
