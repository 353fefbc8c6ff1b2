package dev.satchel.server.session;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.runlog.RunEvent;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogStore;
import dev.satchel.server.workspace.SessionTimestamps;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of all runs of a session, in order. Positions grow from line to line and from run to
 * run, with gaps, and never change, so that a reader can continue where it stopped.
 */
public final class SessionTimeline {
    /** Positions of one run; two for each line, because a line may be mapped to two events. */
    private static final long RUN_POSITIONS = 20_000_000;

    private static final int LINE_POSITIONS = 2;
    private static final int PAGE = 500;
    private static final int MAX_CHARACTERS = 4 * 1024 * 1024;

    private final Database database;
    private final RunStore runs;
    private final RunLogStore lines;

    public SessionTimeline(Database database, RunStore runs, RunLogStore lines) {
        this.database = database;
        this.runs = runs;
        this.lines = lines;
    }

    /** An event of a run, with the number of its line. */
    record Entry(Run run, long seq, RunEvent event) {
        /** The position of the event, or with an offset of 1 the one just after it. */
        long position(int offset) {
            return run.firstGeneration() * RUN_POSITIONS + seq * LINE_POSITIONS + offset;
        }

        /** A line without a time of its own has the time of the end of its run. */
        String time() {
            Long ts = event.ts();
            Long ended = run.endedAt();
            long time = ts != null ? ts : ended != null ? ended : run.startedAt();
            return SessionTimestamps.ofMillis(time);
        }
    }

    /** Maps an event to what a reader receives for it. */
    interface EntryMapper<T> {
        List<T> map(Entry entry);
    }

    /**
     * At most about {@code limit} mapped entries from a position on, possibly one page more; fewer
     * if their lines are large.
     */
    <T> List<T> read(ConversationId session, long after, int limit, EntryMapper<T> mapper) {
        Found<T> found = new Found<>(limit);
        long generation = after / RUN_POSITIONS;
        long line =
                Math.max(
                        0,
                        after % RUN_POSITIONS / LINE_POSITIONS
                                - 1); // its second position may still be unread
        List<Run> page = page(session, generation);
        while (!page.isEmpty() && !found.isEnough()) {
            for (Run run : page) {
                if (found.isEnough()) {
                    return found.entries;
                }
                read(run, run.firstGeneration() == generation ? line : 0, mapper, found);
            }
            page = page(session, page.getLast().firstGeneration() + 1);
        }
        return found.entries;
    }

    private <T> void read(Run run, long after, EntryMapper<T> mapper, Found<T> found) {
        long last = after;
        while (!found.isEnough() && last < run.lastSeq()) {
            long from = last;
            List<RunLogLine> page = database.read(tx -> lines.lines(tx, run.id(), from, PAGE));
            if (page.isEmpty()) {
                return;
            }
            for (RunLogLine line : page) {
                if (!line.isJournal()) {
                    found.add(mapper.map(new Entry(run, line.seq(), RunEvent.parse(line))), line);
                }
                last = line.seq();
            }
        }
    }

    /** What was found so far. */
    private static final class Found<T> {
        private final List<T> entries = new ArrayList<>();
        private final int limit;
        private long characters;

        Found(int limit) {
            this.limit = limit;
        }

        void add(List<T> mapped, RunLogLine line) {
            entries.addAll(mapped);
            characters += mapped.isEmpty() ? 0 : line.body().length();
        }

        boolean isEnough() {
            return entries.size() >= limit || characters >= MAX_CHARACTERS;
        }
    }

    private List<Run> page(ConversationId session, long generation) {
        return database.read(tx -> runs.from(tx, session, generation, PAGE));
    }
}
