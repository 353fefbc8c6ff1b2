package dev.satchel.filesystem;

import dev.satchel.filesystem.FileDescriptor.Identity;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The directory trees that are being walked. Walks of the same tree share their reads: a walk uses
 * a read that another one has begun after this walk began, since it is as recent as a read of its
 * own. A tree is identified by its root's inode, since another tree may appear at the same path.
 */
public final class SharedTreeReads {
    private final Map<Identity, Tree> trees = new ConcurrentHashMap<>();

    /** Begins a walk; the root must stay open until the walk is closed. */
    Walk begin(Identity root) {
        long[] number = new long[1];
        Tree tree =
                trees.compute(
                        root,
                        (_, found) -> {
                            Tree shared = found == null ? new Tree() : found;
                            number[0] = shared.begin();
                            return shared;
                        });
        return new Walk(root, tree, number[0]);
    }

    /** One walk of a tree. */
    final class Walk implements AutoCloseable {
        private final Identity root;
        private final Tree tree;
        private final long number;

        private Walk(Identity root, Tree tree, long number) {
            this.root = root;
            this.tree = tree;
            this.number = number;
        }

        /** A read that is recent enough: one of another walk, or a new one. */
        DirectoryRead read(WorkspacePath path, DirectoryRead.Reader reader) {
            return tree.read(path, number, reader);
        }

        /** Whether this walk did the read. */
        boolean did(DirectoryRead read) {
            return read.isOf(number);
        }

        @Override
        public void close() {
            trees.computeIfPresent(
                    root,
                    (_, found) -> {
                        found.end(number);
                        return found.isIdle() ? null : found;
                    });
        }
    }

    /** The reads of one tree. Walks and reads are numbered in the order in which they begin. */
    private static final class Tree {
        private final AtomicLong numbers = new AtomicLong();
        private final NavigableSet<Long> walks = new ConcurrentSkipListSet<>();
        private final Map<WorkspacePath, DirectoryRead> newest = new ConcurrentHashMap<>();

        /** Returns the number of a new walk. */
        long begin() {
            long walk = numbers.incrementAndGet();
            walks.add(walk);
            return walk;
        }

        /** Removes reads that are too old for the remaining walks. */
        void end(long walk) {
            walks.remove(walk);
            Long oldest = walks.isEmpty() ? null : walks.first();
            newest.values().removeIf(read -> oldest == null || read.number() < oldest);
        }

        boolean isIdle() {
            return walks.isEmpty();
        }

        DirectoryRead read(WorkspacePath path, long walk, DirectoryRead.Reader reader) {
            DirectoryRead own = new DirectoryRead(numbers.incrementAndGet(), walk);
            DirectoryRead chosen =
                    newest.merge(path, own, (old, added) -> old.number() > walk ? old : added);
            if (chosen == own) {
                own.run(reader, path);
            }
            return chosen;
        }
    }
}
