package dev.satchel.runner.regex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A regex as states that bytes lead through, after Thompson; several are on at a time. */
final class Automaton {
    /** More than this is no quick filter any more. */
    private static final int MAX_STATES = 2_000;

    /** A character outside ASCII has up to so many bytes, whatever is made of broken ones. */
    private static final int MAX_BYTES = 4;

    static final int MATCH = 0;

    /** Thrown when a regex unrolls to too many states. */
    static final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** One state: a byte out of a set leads on, or it leads on at once, always or at a border. */
    sealed interface State {
        record OfBytes(AsciiSet ascii, boolean high, int next) implements State {
            boolean takes(int b) {
                return b < 128 ? ascii.has(b) : high;
            }
        }

        record Fork(int one, int other) implements State {}

        record AtBegin(int next) implements State {}

        record AtEnd(int next) implements State {}

        record Match() implements State {}
    }

    private final List<@Nullable State> states = new ArrayList<>();
    private final int start;

    Automaton(Node node) throws TooLargeException {
        add(new State.Match());
        this.start = build(node, MATCH);
    }

    int start() {
        return start;
    }

    State state(int number) {
        State state = states.get(number);
        if (state == null) {
            throw new IllegalStateException("a loop was left open");
        }
        return state;
    }

    /** Bytes that no state tells apart share a number, counted from 0; line feeds stand alone. */
    int[] byteClasses() {
        int[] classes = new int[256];
        int count = 1;
        for (int number = 0; number < states.size(); number++) {
            if (state(number) instanceof State.OfBytes set) {
                count = split(classes, count, set);
            }
        }
        for (char alone : new char[] {'\n', '\r'}) {
            count = split(classes, count, new State.OfBytes(AsciiSet.of(alone), false, MATCH));
        }
        return classes;
    }

    private static int split(int[] classes, int count, State.OfBytes set) {
        int[] inside = new int[count];
        Arrays.fill(inside, -1);
        boolean[] outside = new boolean[count];
        for (int b = 0; b < classes.length; b++) {
            outside[classes[b]] |= !set.takes(b);
        }
        int more = count;
        for (int b = 0; b < classes.length; b++) {
            int old = classes[b];
            if (set.takes(b) && outside[old]) {
                inside[old] = inside[old] < 0 ? more++ : inside[old];
                classes[b] = inside[old];
            }
        }
        return more;
    }

    /** The state before what the node takes; {@code next} comes after it. */
    private int build(Node node, int next) throws TooLargeException {
        return switch (node) {
            case Node.One one -> one(one, next);
            case Node.Begin _ -> add(new State.AtBegin(next));
            case Node.End _ -> add(new State.AtEnd(next));
            case Node.Sequence sequence -> {
                int first = next;
                for (Node part : sequence.nodes().reversed()) {
                    first = build(part, first);
                }
                yield first;
            }
            case Node.Either either -> {
                int first = build(either.nodes().getLast(), next);
                for (Node branch : either.nodes().reversed().subList(1, either.nodes().size())) {
                    first = add(new State.Fork(build(branch, next), first));
                }
                yield first;
            }
            case Node.Repeat repeat -> repeat(repeat, next);
        };
    }

    private int one(Node.One one, int next) throws TooLargeException {
        int ascii = add(new State.OfBytes(one.ascii(), false, next));
        if (!one.others()) {
            return ascii;
        }
        int high = add(new State.OfBytes(AsciiSet.NONE, true, next));
        for (int bytes = 1; bytes < MAX_BYTES; bytes++) {
            high = add(new State.OfBytes(AsciiSet.NONE, true, add(new State.Fork(high, next))));
        }
        return add(new State.Fork(ascii, high));
    }

    private int repeat(Node.Repeat repeat, int next) throws TooLargeException {
        int first = next;
        if (repeat.max() == Node.Repeat.ENDLESS) {
            int loop = add(null);
            states.set(loop, new State.Fork(build(repeat.node(), loop), next));
            first = loop;
        } else {
            for (int i = repeat.min(); i < repeat.max(); i++) {
                first = add(new State.Fork(build(repeat.node(), first), next));
            }
        }
        for (int i = 0; i < repeat.min(); i++) {
            first = build(repeat.node(), first);
        }
        return first;
    }

    private int add(@Nullable State state) throws TooLargeException {
        if (states.size() == MAX_STATES) {
            throw new TooLargeException();
        }
        states.add(state);
        return states.size() - 1;
    }
}
