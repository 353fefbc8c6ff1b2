package dev.satchel.filesystem;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * What a directory held when it was read, by name. Names and stats lie in a few arrays, and an
 * entry is made when it is looked at: ten thousand files are a hundred readings, not sixty thousand
 * objects for the collector to carry about.
 */
final class DirectoryContents extends AbstractList<WorkspaceEntry> implements RandomAccess {
    private final WorkspacePath directory;
    private final byte[] names; // one after the other
    private final int[] ends; // of the names
    private final long[] stats;
    private final int[] order;

    /** Takes over the arrays, which may be longer than what they hold. */
    DirectoryContents(WorkspacePath directory, byte[] names, int[] ends, long[] stats, int count) {
        this.directory = directory;
        this.names = names;
        this.ends = ends;
        this.stats = stats;
        this.order = PrimitiveSort.sorted(count, isAscii(count) ? this::byBytes : this::byText);
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

    /** Those of the entries that are directories. */
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

    /** Bytes that are no UTF-8 have characters in their place, which are ordered otherwise. */
    private int byText(int one, int other) {
        return WorkspacePath.compareNames(name(one), name(other));
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
