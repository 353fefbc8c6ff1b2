package dev.satchel.server.workspace.files;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Compares two texts line by line, with the greedy algorithm of Myers (1986). Parts that differ in
 * too many lines are replaced as a whole: the difference is then longer, and still right.
 */
final class UnifiedDiff {
    private static final int CONTEXT = 3;

    /** Memory grows with the square of it. */
    private static final int MAX_EDITS = 2000;

    private final List<String> before;
    private final List<String> after;
    private final BitSet removed = new BitSet();
    private final BitSet added = new BitSet();

    private UnifiedDiff(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
    }

    /** The hunks, without a header with names; empty if the texts are the same. */
    static String of(String before, String after) {
        UnifiedDiff diff = new UnifiedDiff(lines(before), lines(after));
        diff.compare();
        return diff.hunks();
    }

    /** Each with its end, so that a missing one at the end of the text is a difference. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            int next = end < 0 ? text.length() : end + 1;
            lines.add(text.substring(start, next));
            start = next;
        }
        return lines;
    }

    private void compare() {
        int start = 0;
        int end = before.size();
        int otherEnd = after.size();
        while (start < end && start < otherEnd && same(start, start)) {
            start++;
        }
        while (end > start && otherEnd > start && same(end - 1, otherEnd - 1)) {
            end--;
            otherEnd--;
        }
        compare(start, end, otherEnd);
    }

    private boolean same(int line, int other) {
        return before.get(line).equals(after.get(other));
    }

    /** Both parts begin at {@code start}. */
    private void compare(int start, int end, int otherEnd) {
        int length = end - start;
        int otherLength = otherEnd - start;
        int max = Math.min(length + otherLength, MAX_EDITS);
        int[] furthest = new int[2 * max + 3];
        List<int[]> steps = new ArrayList<>();
        for (int edits = 0; edits <= max; edits++) {
            steps.add(Arrays.copyOfRange(furthest, max + 1 - edits - 1, max + 1 + edits + 2));
            for (int k = -edits; k <= edits; k += 2) {
                int x = begin(furthest, max + 1, k, edits);
                while (x < length
                        && x - k < otherLength
                        && x - k >= 0
                        && same(start + x, start + x - k)) {
                    x++;
                }
                furthest[max + 1 + k] = x;
                if (x >= length && x - k >= otherLength) {
                    goBack(steps, start, length, otherLength);
                    return;
                }
            }
        }
        removed.set(start, end);
        added.set(start, otherEnd);
    }

    /** Where a path on diagonal {@code k} begins: after an added line, or after a removed one. */
    private static int begin(int[] furthest, int middle, int k, int edits) {
        boolean isAddition =
                k == -edits || (k != edits && furthest[middle + k - 1] < furthest[middle + k + 1]);
        return isAddition ? furthest[middle + k + 1] : furthest[middle + k - 1] + 1;
    }

    private void goBack(List<int[]> steps, int start, int length, int otherLength) {
        int x = length;
        int y = otherLength;
        for (int edits = steps.size() - 1; edits > 0; edits--) {
            int[] furthest = steps.get(edits);
            int middle = edits + 1;
            int k = x - y;
            boolean isAddition =
                    k == -edits
                            || (k != edits && furthest[middle + k - 1] < furthest[middle + k + 1]);
            int previous = isAddition ? k + 1 : k - 1;
            x = furthest[middle + previous];
            y = x - previous;
            if (isAddition) {
                added.set(start + y);
            } else {
                removed.set(start + x);
            }
        }
    }

    private String hunks() {
        StringBuilder text = new StringBuilder();
        Hunk hunk = new Hunk(0, 0);
        int line = 0;
        int other = 0;
        while (line < before.size() || other < after.size()) {
            if (removed.get(line) && line < before.size()) {
                hunk.change('-', before.get(line++));
            } else if (added.get(other) && other < after.size()) {
                hunk.change('+', after.get(other++));
            } else {
                line++;
                other++;
                if (!hunk.keep(before.get(line - 1))) {
                    hunk.writeTo(text);
                    hunk = new Hunk(line - CONTEXT, other - CONTEXT);
                    before.subList(line - CONTEXT, line).forEach(hunk.kept::add);
                }
            }
        }
        hunk.writeTo(text);
        return text.toString();
    }

    /** Lines that differ and those around them. */
    private static final class Hunk {
        private final StringBuilder lines = new StringBuilder();
        private final List<String> kept = new ArrayList<>();
        private int start;
        private int otherStart;
        private int length;
        private int otherLength;

        Hunk(int start, int otherStart) {
            this.start = start;
            this.otherStart = otherStart;
        }

        void change(char mark, String line) {
            writeKept(kept.size());
            write(mark, line);
            length += mark == '-' ? 1 : 0;
            otherLength += mark == '+' ? 1 : 0;
        }

        /** False if the hunk ends: enough lines are the same. */
        boolean keep(String line) {
            kept.add(line);
            if (lines.isEmpty() && kept.size() > CONTEXT) {
                kept.removeFirst();
                start++;
                otherStart++;
            }
            return lines.isEmpty() || kept.size() <= 2 * CONTEXT;
        }

        private void writeKept(int count) {
            kept.subList(0, count).forEach(line -> write(' ', line));
            length += count;
            otherLength += count;
            kept.clear();
        }

        private void write(char mark, String line) {
            lines.append(mark).append(line);
            if (!line.endsWith("\n")) {
                lines.append("\n\\ No newline at end of file\n");
            }
        }

        void writeTo(StringBuilder text) {
            if (lines.isEmpty()) {
                return;
            }
            writeKept(Math.min(CONTEXT, kept.size()));
            text.append("@@ -").append(range(start, length));
            text.append(" +").append(range(otherStart, otherLength)).append(" @@\n");
            text.append(lines);
        }

        private String range(int from, int count) {
            return (count == 0 ? from : from + 1) + (count == 1 ? "" : "," + count);
        }
    }
}
