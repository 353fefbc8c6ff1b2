package dev.satchel.server.runlog;

/** One line of a run's log: its number, its type, and its JSON on one line. */
public record RunLogLine(long seq, String type, String body) {
    /** Log messages are only part of the trace; every other line is an event. */
    public boolean isEvent() {
        return !type.equals("log");
    }

    /** The last line of a run. */
    public boolean isEnd() {
        return type.equals("end");
    }
}
