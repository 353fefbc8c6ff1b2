package dev.satchel.filesystem;

import dev.satchel.filesystem.linux.NameBytes;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntBinaryOperator;

/**
 * The entries of a directory by name, as of one read. Names and stats are stored in a few arrays,
 * and an entry object is created on access. For ten thousand files this saves the garbage collector
 * about sixty thousand objects that live as long as a walk.
 */
final class DirectoryContents extends AbstractList<WorkspaceEntry> implements RandomAccess {
    private final WorkspacePath directory;
    private final byte[] names; // concatenated
    private final int[] ends; // of the names
    private final long[] stats;
    private final int[] order;

    /** Keeps the arrays, which may be longer than needed. */
    DirectoryContents(WorkspacePath directory, byte[] names, int[] ends, long[] stats, int count) {
        this.directory = directory;
        this.names = names;
        this.ends = ends;
        this.stats = stats;
        this.order = sorted(count, isAscii(count) ? this::byBytes : this::byText);
    }

    @Override
    public WorkspaceEntry get(int index) {
        int number = order[index];
        return new WorkspaceEntry(
                directory.resolve(name(number)),
                StatxFields.stat(stats, number * StatxFields.COUNT));
    }

    @Override
    public int size() {
        return order.length;
    }

    /** The entries that are directories. */
    List<WorkspaceEntry> directories() {
        List<WorkspaceEntry> found = new ArrayList<>();
        for (int i = 0; i < order.length; i++) {
            if (StatxFields.isDirectory(stats, order[i] * StatxFields.COUNT)) {
                found.add(get(i));
            }
        }
        return found;
    }

    private String name(int number) {
        return NameBytes.text(names, start(number), ends[number]);
    }

    private int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    private int byBytes(int one, int other) {
        return Arrays.compareUnsigned(
                names, start(one), ends[one], names, start(other), ends[other]);
    }

    /** Escapes of bytes that are not UTF-8 have another order than the bytes. */
    private int byText(int one, int other) {
        return WorkspacePath.compareNames(name(one), name(other));
    }

    /** The numbers below {@code count} in the given order; merge sort without boxing. */
    private static int[] sorted(int count, IntBinaryOperator comparison) {
        int[] from = new int[count];
        int[] to = new int[count];
        for (int i = 0; i < count; i++) {
            from[i] = i;
        }
        for (int width = 1; width < count; width *= 2) {
            for (int start = 0; start < count; start += 2 * width) {
                int middle = Math.min(start + width, count);
                int end = Math.min(middle + width, count);
                merge(from, to, start, middle, end, comparison);
            }
            int[] merged = to;
            to = from;
            from = merged;
        }
        return from;
    }

    private static void merge(
            int[] from, int[] to, int start, int middle, int end, IntBinaryOperator comparison) {
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
            boolean takesLeft =
                    right == end
                            || (left < middle
                                    && comparison.applyAsInt(from[left], from[right]) <= 0);
            to[at] = takesLeft ? from[left++] : from[right++];
        }
    }

    private boolean isAscii(int count) {
        for (int i = 0; i < start(count); i++) {
            if (names[i] < 0) {
                return false;
            }
        }
        return true;
    }
}
