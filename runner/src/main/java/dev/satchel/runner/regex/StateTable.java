package dev.satchel.runner.regex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where each byte leads from each set of states, found out when it is first asked for. When the
 * sets grow too many they are forgotten and begun anew.
 */
final class StateTable {
    private static final int MAX_ENTRIES = 1 << 18;
    private static final int MAX_RESTARTS = 16;

    /** The state whose every entry leads to itself: nobody has asked yet. */
    static final int UNKNOWN = 0;

    private final StateSets sets;
    private final int[] classOf;
    private final int[] sample;

    /** Like {@link #UNKNOWN}, but a match. */
    private final int found;

    /**
     * For each state as many entries as there are classes of bytes; a state is where they begin.
     */
    private int[] entries = new int[0];

    private final List<BitSet> known = new ArrayList<>();
    private final Map<BitSet, Integer> numbers = new HashMap<>();
    private int begin;
    private int restarts;

    StateTable(Automaton automaton) {
        this.sets = new StateSets(automaton);
        this.classOf = automaton.byteClasses();
        this.sample = new int[Arrays.stream(classOf).max().orElse(0) + 1];
        for (int b = 0; b < classOf.length; b++) {
            sample[classOf[b]] = b;
        }
        this.found = sample.length;
        begin();
    }

    /** The state at the begin of a line, until the next restart. */
    int atBegin() {
        return begin;
    }

    /** Whether nothing more is to be learned by walking on: a match, or a byte never met here. */
    boolean isEnd(int state) {
        return state <= found;
    }

    boolean isMatch(int state) {
        return state == found;
    }

    /** Which entry of a state a byte leads to; 256 of them. */
    int[] classes() {
        return classOf;
    }

    /** Until {@link #make} is called. */
    int[] entries() {
        return entries;
    }

    /** States from before a restart mean nothing after it. */
    int restarts() {
        return restarts;
    }

    /** Whether nothing is worth telling apart, or no longer. */
    boolean letsAllThrough() {
        return restarts > MAX_RESTARTS || sets.accepts(sets.atBegin());
    }

    boolean acceptsAtEnd(int state) {
        return sets.acceptsAtEnd(known.get(state / sample.length));
    }

    /** Finds out where a byte leads, and writes it down. */
    int make(int state, int b) {
        BitSet from = known.get(state / sample.length);
        boolean ends = (b == '\n' || b == '\r') && sets.acceptsAtEnd(from);
        BitSet to = b == '\n' ? sets.atBegin() : sets.after(from, sample[classOf[b]]);
        if (ends || sets.accepts(to)) {
            entries[state + classOf[b]] = found;
            return found;
        }
        Integer number = numbers.get(to);
        if (number == null && (known.size() + 1) * sample.length > MAX_ENTRIES) {
            restart();
            return number(to);
        }
        int next = number == null ? number(to) : number;
        entries[state + classOf[b]] = next;
        return next;
    }

    private int number(BitSet set) {
        return numbers.computeIfAbsent(
                set,
                _ -> {
                    int state = known.size() * sample.length;
                    known.add(set);
                    if (entries.length < state + sample.length) {
                        entries = Arrays.copyOf(entries, 2 * (state + sample.length));
                    }
                    return state;
                });
    }

    private void restart() {
        restarts++;
        known.clear();
        numbers.clear();
        begin();
    }

    private void begin() {
        known.add(new BitSet());
        known.add(new BitSet());
        entries = new int[2 * sample.length];
        Arrays.fill(entries, found, 2 * found, found);
        begin = number(sets.atBegin());
    }
}
