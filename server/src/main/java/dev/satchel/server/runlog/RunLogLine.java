package dev.satchel.server.runlog;

/** One line of a run's log: its number, its type, and its JSON on one line. */
public record RunLogLine(long seq, String type, String body) {
    /** Logs are for the trace; everything else is an event. */
    public boolean isEvent() {
        return !type.equals("log");
    }

    /** Nothing ever follows this line. */
    public boolean isEnd() {
        return type.equals("end");
    }
}
