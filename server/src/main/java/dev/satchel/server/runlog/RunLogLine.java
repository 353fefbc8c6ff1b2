package dev.satchel.server.runlog;

/**
 * One line of a run's log: its number, its type, and its JSON on one line. If values of it were
 * {@code cut}, the log has the whole line beside it, for the trace.
 */
public record RunLogLine(long seq, String type, String body, boolean cut) {
    static final String JOURNAL = "journal";

    public RunLogLine(long seq, String type, String body) {
        this(seq, type, body, false);
    }

    /** Log messages are only part of the trace, the journal is for the runner. */
    public boolean isEvent() {
        return !type.equals("log") && !isJournal();
    }

    /** A line that only the runner understands. Its body is loaded by {@link RunLog#whole} only. */
    public boolean isJournal() {
        return type.equals(JOURNAL);
    }

    /** The run waits for people after this line; if it is the last, it still does. */
    public boolean isParked() {
        return type.equals("parked");
    }

    /** As a stream ends when the run waits. */
    RunLogLine waiting() {
        return new RunLogLine(seq, "end", "{\"type\":\"end\",\"status\":\"waiting\"}");
    }

    /** The last line of a run. */
    public boolean isEnd() {
        return type.equals("end");
    }
}
