package dev.satchel.server.session;

import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunLogLine;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.workspace.SessionTimestamps;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * All that the runs of a session have logged, one after the other. Places grow from line to line
 * and from run to run, with gaps, and never change, so that a reader goes on where it stopped.
 */
public final class SessionTimeline {
    /** Places of one run; two for each line, for a line may be told as two things. */
    private static final long RUN_PLACES = 20_000_000;

    private static final int PLACES = 2;
    private static final int PAGE = 500;

    private final Database database;
    private final RunStore runs;

    public SessionTimeline(Database database, RunStore runs) {
        this.database = database;
        this.runs = runs;
    }

    /** A line of the session's log where it stands. */
    record Entry(Run run, RunLogLine line) {
        JsonNode body() {
            return Json.MAPPER.readTree(line.body());
        }

        /** The place of the line, or the one just behind it. */
        long place(int behind) {
            return run.generation() * RUN_PLACES + line.seq() * PLACES + behind;
        }

        String time(JsonNode body) {
            Long ended = run.endedAt(); // the closing lines are ours and say no time
            return SessionTimestamps.ofMillis(
                    body.path("ts").asLong(ended == null ? run.startedAt() : ended));
        }
    }

    /** Turns a line into what a reader gets of it. */
    interface Teller<T> {
        List<T> tell(Entry entry);
    }

    /** At most {@code limit} things that lines at or behind a place are told as. */
    <T> List<T> read(ConversationId session, long after, int limit, Teller<T> teller) {
        List<T> found = new ArrayList<>();
        long generation = after / RUN_PLACES;
        long line = Math.max(0, after % RUN_PLACES / PLACES - 1); // of it the half may be left
        List<Run> page = page(session, generation);
        while (!page.isEmpty() && found.size() < limit) {
            for (Run run : page) {
                if (found.size() >= limit) {
                    return found;
                }
                read(run, run.generation() == generation ? line : 0, limit, teller, found);
            }
            page = page(session, page.getLast().generation() + 1);
        }
        return found;
    }

    private <T> void read(Run run, long after, int limit, Teller<T> teller, List<T> found) {
        long last = after;
        List<RunLogLine> lines;
        do {
            long from = last;
            lines = database.read(tx -> runs.lines(tx, run.id(), from, PAGE));
            for (RunLogLine line : lines) {
                found.addAll(teller.tell(new Entry(run, line)));
                last = line.seq();
            }
        } while (lines.size() == PAGE && found.size() < limit);
    }

    private List<Run> page(ConversationId session, long generation) {
        return database.read(tx -> runs.from(tx, session, generation, PAGE));
    }
}
