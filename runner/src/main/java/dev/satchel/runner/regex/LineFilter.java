package dev.satchel.runner.regex;

import java.util.Optional;

/**
 * Tells the lines that cannot match a regex from those that may, one table look-up for each byte.
 * When the table has been begun anew often the filter lets everything through. For one search and
 * one thread.
 */
public final class LineFilter {
    /** From so many bytes on lanes pay. */
    private static final int LONG = 16 * 1024;

    /** Looked at first, by itself: where many lines match, the next is near. */
    private static final int NEAR = 1024;

    private final StateTable table;

    private LineFilter(Automaton automaton) {
        this.table = new StateTable(automaton);
    }

    /** Empty where the regex is one that we do not read, or too large. */
    public static Optional<LineFilter> of(String pattern, boolean ignoreCase) {
        try {
            return Optional.of(
                    new LineFilter(new Automaton(RegexReader.read(pattern, ignoreCase))));
        } catch (RegexReader.UnknownSyntaxException | Automaton.TooLargeException e) {
            return Optional.empty();
        }
    }

    /**
     * From the begin of a line on, a place in the first line that may match, or -1. The last line
     * may lack its line feed.
     */
    public int find(byte[] bytes, int from, int to) {
        if (from < to && table.letsAllThrough()) {
            return from;
        }
        int near = to - from < LONG ? to : Lanes.afterFeed(bytes, from + NEAR, to);
        int found = walk(bytes, from, near, table.atBegin());
        return found >= 0 || near == to ? found : inLanes(bytes, near, to);
    }

    private int walk(byte[] bytes, int from, int to, int start) {
        int[] entries = table.entries();
        int[] classOf = table.classes();
        int state = start;
        for (int i = from; i < to; i++) {
            int next = entries[state + classOf[bytes[i] & 0xff]];
            if (table.isEnd(next)) {
                next = next == StateTable.UNKNOWN ? table.make(state, bytes[i] & 0xff) : next;
                if (table.isMatch(next) || table.letsAllThrough()) {
                    return i;
                }
                entries = table.entries();
            }
            state = next;
        }
        return from < to && table.acceptsAtEnd(state) ? to - 1 : -1;
    }

    /** Side by side as far as that goes, then what is left of each lane. */
    private int inLanes(byte[] bytes, int from, int to) {
        Lanes lanes = new Lanes(bytes, from, to);
        lanes.walk(bytes, table);
        int restarts = table.restarts();
        for (int lane = 0; lane < Lanes.COUNT; lane++) {
            boolean forgotten = table.restarts() != restarts;
            int begin = forgotten ? lanes.begin(lane) : lanes.position(lane);
            int state = forgotten ? table.atBegin() : lanes.state(lane);
            int found = walk(bytes, begin, lanes.end(lane), state);
            if (found >= 0) {
                return found;
            }
        }
        return -1;
    }
}
