package dev.satchel.runner.regex;

import dev.satchel.runner.regex.Automaton.State;
import java.util.BitSet;

/** Which states of an automaton are on at a time, when a match may begin anywhere in a line. */
final class StateSets {
    private final Automaton automaton;
    private final BitSet atBegin = new BitSet();
    private final BitSet inside = new BitSet();

    StateSets(Automaton automaton) {
        this.automaton = automaton;
        enter(atBegin, automaton.start(), true, false);
        enter(inside, automaton.start(), false, false);
    }

    BitSet atBegin() {
        return atBegin;
    }

    /** Those that are on after one more byte. */
    BitSet after(BitSet set, int b) {
        BitSet next = (BitSet) inside.clone();
        for (int number = set.nextSetBit(0); number >= 0; number = set.nextSetBit(number + 1)) {
            if (automaton.state(number) instanceof State.OfBytes state && state.takes(b)) {
                enter(next, state.next(), false, false);
            }
        }
        return next;
    }

    boolean accepts(BitSet set) {
        return set.get(Automaton.MATCH);
    }

    boolean acceptsAtEnd(BitSet set) {
        BitSet reached = new BitSet();
        for (int number = set.nextSetBit(0); number >= 0; number = set.nextSetBit(number + 1)) {
            enter(reached, number, true, true);
        }
        return accepts(reached);
    }

    /** Enters a state and all that it leads on to without a byte. */
    private void enter(BitSet set, int number, boolean begin, boolean end) {
        if (set.get(number)) {
            return;
        }
        set.set(number);
        switch (automaton.state(number)) {
            case State.Fork fork -> {
                enter(set, fork.one(), begin, end);
                enter(set, fork.other(), begin, end);
            }
            case State.AtBegin at -> {
                if (begin) {
                    enter(set, at.next(), true, end);
                }
            }
            case State.AtEnd at -> {
                if (end) {
                    enter(set, at.next(), begin, true);
                }
            }
            case State.OfBytes _, State.Match _ -> {}
        }
    }
}
