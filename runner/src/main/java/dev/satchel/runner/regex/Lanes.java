package dev.satchel.runner.regex;

import java.util.Arrays;

/**
 * Four stretches of lines that are walked side by side: each step waits for the look-up before it,
 * and four such waits take no longer than one.
 */
final class Lanes {
    static final int COUNT = 4;

    /** Steps taken before looking where they led; an end leads to itself. */
    private static final int STRIDE = 64;

    private final int[] starts = new int[COUNT + 1];
    private final int[] states = new int[COUNT];
    private int done;

    /** Begins at the begin of a line; so does every lane. */
    Lanes(byte[] bytes, int from, int to) {
        starts[0] = from;
        starts[COUNT] = to;
        for (int lane = 1; lane < COUNT; lane++) {
            int even = from + lane * ((to - from) / COUNT);
            starts[lane] = afterFeed(bytes, Math.max(starts[lane - 1], even), to);
        }
    }

    /** Where the line after the one at an offset begins. */
    static int afterFeed(byte[] bytes, int at, int to) {
        int i = at;
        while (i < to && bytes[i] != '\n') {
            i++;
        }
        return Math.min(i + 1, to);
    }

    /** How far a lane has come, and in which state. */
    int position(int lane) {
        return starts[lane] + done;
    }

    int state(int lane) {
        return states[lane];
    }

    int begin(int lane) {
        return starts[lane];
    }

    int end(int lane) {
        return starts[lane + 1];
    }

    /**
     * Walks until shortly before one lane comes to an end, be it of its lines or a match or
     * something unknown.
     */
    void walk(byte[] bytes, StateTable table) {
        Arrays.fill(states, table.atBegin());
        int[] entries = table.entries();
        int[] classOf = table.classes();
        int first = starts[0];
        int second = starts[1];
        int third = starts[2];
        int fourth = starts[3];
        int steps = shortest() - 1; // how the text ends is not for us to judge
        for (int from = 0; from + STRIDE <= steps; from += STRIDE) {
            int a = states[0];
            int b = states[1];
            int c = states[2];
            int d = states[3];
            for (int i = from; i < from + STRIDE; i++) {
                a = entries[a + classOf[bytes[first + i] & 0xff]];
                b = entries[b + classOf[bytes[second + i] & 0xff]];
                c = entries[c + classOf[bytes[third + i] & 0xff]];
                d = entries[d + classOf[bytes[fourth + i] & 0xff]];
            }
            if (table.isEnd(Math.min(Math.min(a, b), Math.min(c, d)))) {
                return;
            }
            states[0] = a;
            states[1] = b;
            states[2] = c;
            states[3] = d;
            done = from + STRIDE;
        }
    }

    private int shortest() {
        int shortest = Integer.MAX_VALUE;
        for (int lane = 0; lane < COUNT; lane++) {
            shortest = Math.min(shortest, end(lane) - begin(lane));
        }
        return shortest;
    }
}
