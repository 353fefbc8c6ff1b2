package dev.satchel.runner.regex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells the lines that cannot match a regex from those that may, one table look-up for each byte.
 * The sets of states that bytes lead to become states of their own, made when they are first met;
 * when they grow too many they are forgotten and begun anew, and after that has happened often the
 * filter lets everything through. For one search and one thread.
 */
public final class LineFilter {
    private static final int MAX_ENTRIES = 1 << 18;
    private static final int MAX_RESTARTS = 16;

    /** What the table says besides where to go on. */
    private static final int UNKNOWN = -1;

    private static final int FOUND = -2;

    private final StateSets sets;
    private final int[] classOf;
    private final int[] sample;

    /**
     * For each state as many entries as there are classes of bytes; a state is where they begin.
     */
    private int[] table = new int[0];

    private final List<BitSet> known = new ArrayList<>();
    private final Map<BitSet, Integer> numbers = new HashMap<>();
    private int begin;
    private int restarts;

    private LineFilter(Automaton automaton) {
        this.sets = new StateSets(automaton);
        this.classOf = automaton.byteClasses();
        this.sample = new int[Arrays.stream(classOf).max().orElse(0) + 1];
        for (int b = 0; b < classOf.length; b++) {
            sample[classOf[b]] = b;
        }
        this.begin = number(sets.atBegin());
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
        if (from < to && letsAllThrough()) {
            return from;
        }
        int[] entries = table;
        int state = begin;
        for (int i = from; i < to; i++) {
            int next = entries[state + classOf[bytes[i] & 0xff]];
            if (next < 0) {
                next = next == UNKNOWN ? make(state, bytes[i] & 0xff) : next;
                if (next == FOUND || letsAllThrough()) {
                    return i;
                }
                entries = table;
            }
            state = next;
        }
        return from < to && sets.acceptsAtEnd(known.get(state / sample.length)) ? to - 1 : -1;
    }

    private boolean letsAllThrough() {
        return restarts > MAX_RESTARTS || sets.accepts(sets.atBegin());
    }

    /** Finds out where a byte leads, and writes it down. */
    private int make(int state, int b) {
        BitSet from = known.get(state / sample.length);
        boolean ends = (b == '\n' || b == '\r') && sets.acceptsAtEnd(from);
        BitSet to = b == '\n' ? sets.atBegin() : sets.after(from, sample[classOf[b]]);
        if (ends || sets.accepts(to)) {
            table[state + classOf[b]] = FOUND;
            return FOUND;
        }
        Integer number = numbers.get(to);
        if (number == null && (known.size() + 1) * sample.length > MAX_ENTRIES) {
            restart();
            return number(to);
        }
        int next = number == null ? number(to) : number;
        table[state + classOf[b]] = next;
        return next;
    }

    private int number(BitSet set) {
        return numbers.computeIfAbsent(
                set,
                _ -> {
                    int state = known.size() * sample.length;
                    known.add(set);
                    if (table.length < state + sample.length) {
                        int before = table.length;
                        table = Arrays.copyOf(table, 2 * (state + sample.length));
                        Arrays.fill(table, before, table.length, UNKNOWN);
                    }
                    return state;
                });
    }

    private void restart() {
        restarts++;
        known.clear();
        numbers.clear();
        Arrays.fill(table, UNKNOWN);
        begin = number(sets.atBegin());
    }
}
